// The cut: how a search is divided into parts that nobody has to tell each other about.
//
// All parts begin with the same executions, the common ones: one at a time, so that which they are
// is a function of the program alone, not of what else a search has under way. Of the schedules
// that wait, the one that departs earliest is run next, for that has the largest subtree, and
// within a bound that goes up the bound comes first. When there have been enough of them, the
// schedules that wait are dealt out, one to each part in turn. Each subtree is then run by one
// part; and as every schedule has one parent, the parts have nothing in common but the common
// executions.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "explore/bytes.h"
#include "explore/fringe.h"
#include "explore/shard.h"

namespace heddle::explore {

class Cut {
 public:
  // Common executions for each part, and schedules that wait: with so many, the subtrees are small
  // enough to be dealt out evenly.
  static constexpr uint64_t kExecutionsPerPart = 16;
  static constexpr uint64_t kWaitingPerPart = 1024;

  explicit Cut(const Shard& shard) : shard_(shard), is_open_(shard.is_on()) {}

  // The common executions are being run; false: they have been, or the search is not divided.
  bool is_open() const { return is_open_; }
  bool empty() const { return waiting_.empty(); }
  uint64_t size() const { return size_; }  // schedules that wait

  // An entry is a range of choices, as in a fringe of ranges. The bound: 0 where there is none that
  // goes up.
  void push(int32_t bound, const Key& key, const Entry& entry);
  int32_t best_bound() const { return std::get<0>(waiting_.begin()->first); }
  // The next one, of one choice.
  Entry pop();

  void executed() { ++executions_; }
  bool is_due() const {
    return executions_ >= kExecutionsPerPart * shard_.count ||
           size_ >= kWaitingPerPart * shard_.count;
  }

  // Calls keep(key, entry) for each schedule that is this part's, and drop(entry) for the others.
  template <typename Keep, typename Drop>
  void deal(Keep keep, Drop drop) {
    uint64_t number = 0;
    for (const auto& [place, item] : waiting_) {
      for (uint32_t choice = item.entry.choice; choice <= item.entry.extra; ++choice) {
        Entry one = item.entry;
        one.choice = one.extra = static_cast<uint16_t>(choice);
        number++ % shard_.count == shard_.index - 1 ? keep(item.key, one) : drop(one);
      }
    }
    waiting_.clear();
    size_ = 0;
    is_open_ = false;
  }

  std::vector<Entry> entries() const;
  void save(ByteWriter& out) const;
  void load(ByteReader& in);

 private:
  struct Item {
    Key key;
    Entry entry;
  };
  using Place = std::tuple<int32_t, uint32_t, uint64_t>;  // bound, step, number

  Shard shard_;
  bool is_open_;
  std::map<Place, Item> waiting_;
  uint64_t size_ = 0;
  uint64_t pushed_ = 0;
  uint64_t executions_ = 0;
};

}  // namespace heddle::explore
