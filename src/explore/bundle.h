// A bundle: subtrees of a search (schedules that wait, each with all that will come of it), taken
// out of it so that another search, on whichever machine, goes on with them (bundle_search.h).
//
// Each schedule has one parent from which it is made (best_first.h); so subtrees that were taken
// out together have nothing in common, and what their searches run is what the one would have run.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "explore/bytes.h"
#include "explore/execution_tree.h"
#include "explore/fringe.h"

namespace heddle::explore {

class Bundle {
 public:
  // An entry of a fringe of ranges: one decision more, at `step`, of each choice from the first to
  // the last.
  struct Range {
    uint32_t step;
    uint32_t check;  // see Entry
    uint16_t first;
    uint16_t last;
  };
  using Decisions = std::span<const wire::Decision>;

  bool empty() const { return items_.empty(); }
  uint64_t ranges() const { return items_.size(); }
  uint64_t size() const { return size_; }  // schedules

  // Behind the others; neighbours that have much in common take little room.
  void add(Decisions parent, const Range& range);

  // In the order in which they were added: visit(parent, shared, range); `shared`: so many of the
  // parent's decisions are those of the parent before it.
  template <typename Visit>
  void for_each(Visit visit) const {
    std::vector<wire::Decision> path;
    size_t next = 0;
    for (const Item& item : items_) {
      path.resize(item.shared);
      auto own = own_.begin() + static_cast<ptrdiff_t>(next);
      path.insert(path.end(), own, own + item.count);
      next += item.count;
      visit(Decisions(path), item.shared, item.range);
    }
  }

  // Dealt out in turn, so that each has early ones and late ones; at most so many, none empty.
  std::vector<Bundle> deal(uint64_t hands) const;

  void save(ByteWriter& out) const;
  void load(ByteReader& in);

 private:
  struct Item {
    uint32_t shared;
    uint32_t count;  // decisions of its own
    Range range;
  };

  std::vector<wire::Decision> last_;  // the parent of the last one
  std::vector<wire::Decision> own_;   // of all, one after the other
  std::vector<Item> items_;
  uint64_t size_ = 0;
};

// What waits in a fringe of ranges, from the bottom, as subtrees; and the other way: in a tree and
// a fringe that are empty, with all priorities equal. `extra`: the Node::extra of a node, of its
// parent's and its choice.
Bundle take_out(const ExecutionTree& tree, const Fringe& fringe);
void put_in(const Bundle& subtrees, const std::function<uint32_t(uint32_t, uint32_t)>& extra,
            ExecutionTree* tree, Fringe* fringe);

}  // namespace heddle::explore
