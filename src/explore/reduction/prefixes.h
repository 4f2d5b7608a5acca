// Prefixes: how a search with reduction is divided into parts (shard.h).
//
// Parts cannot tell each other which races are to be reversed. So above the cut that is not asked:
// all parts run the same executions, the common ones, one at a time, and at each of their steps
// whoever else could have gone goes in another, the earliest step first. Only who sleeps does not.
// When there are enough, each stands for the prefix that it begins with, up to the step at which
// the next one would have departed; if of those that depart there from one execution some have
// been run, then all have, and their prefixes are one step longer. No two have the same one, and
// there are no others, but such as sleep sets leave out. The prefixes are dealt out, one to each
// part in turn, and what begins with one is searched as if the program began behind it, with
// reduction. So of each class of executions that begins with the prefix, in any order of
// independent steps, and with nobody who sleeps, one is run.
//
// A common execution is run once more by the part that has its prefix: above the cut it has told
// where others could go, here its races are to be reversed.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "explore/execution_tree.h"
#include "explore/fringe.h"
#include "explore/shard.h"

namespace heddle::explore {

class Prefixes {
 public:
  // Common executions for each part: enough for the parts to become even, few beside what follows.
  static constexpr uint64_t kExecutionsPerPart = 16;

  // A common execution. Its node lives as long as the cut is open.
  struct Common {
    uint32_t node;
    uint32_t check;  // as that of its entry
    uint32_t steps;  // that it has made
  };

  explicit Prefixes(const Shard& shard) : shard_(shard), is_open_(shard.is_on()) {}

  // The common executions are being run; false: they have been, or the search is not divided.
  bool is_open() const { return is_open_; }
  bool empty() const { return waiting_.empty(); }
  uint64_t size() const { return waiting_.size(); }  // schedules that wait

  void push(const Entry& entry) {
    waiting_.emplace(Place{entry.step, entry.parent, pushed_++}, entry);
  }
  Entry pop();  // the next one
  void executed(const Common& common) { common_.push_back(common); }
  bool is_due() const;

  // Closes the cut. Calls keep(common, step) for each prefix that is this part's: that of the
  // common execution up to the step, for which its node lives on; and drop(node) once for
  // everything else that a node has lived for: itself, and each schedule that waits. Whether there
  // are any prefixes.
  template <typename Keep, typename Drop>
  bool deal(const ExecutionTree& tree, Keep keep, Drop drop) {
    uint64_t number = 0;
    const uint32_t next = empty() ? wire::kNoStep : waiting_.begin()->second.step;
    const std::set<uint32_t> longer = nodes_split_at(next, tree);
    for (const Common& one : common_) {
      uint32_t last = longer.contains(one.node) ? next : next - 1;
      bool goes_on = !empty() && one.steps > last + 1;
      bool is_ours = goes_on && number++ % shard_.count == shard_.index - 1;
      is_ours ? keep(one, last) : drop(one.node);
    }
    for (const auto& [place, entry] : waiting_) drop(entry.parent);
    waiting_.clear();
    common_.clear();
    is_open_ = false;
    return number != 0;
  }

  // What nodes live for: for each reason an entry with the node as its parent.
  std::vector<Entry> reasons() const;
  void save(ByteWriter& out) const;
  void load(ByteReader& in);

 private:
  using Place = std::tuple<uint32_t, uint32_t, uint64_t>;  // step, node, number

  // Those from whose executions some depart at that step that have been run, and the nodes of
  // these.
  std::set<uint32_t> nodes_split_at(uint32_t step, const ExecutionTree& tree) const;

  Shard shard_;
  bool is_open_;
  std::map<Place, Entry> waiting_;
  uint64_t pushed_ = 0;
  std::vector<Common> common_;
  // The last one that was given out departs there.
  uint32_t step_ = wire::kNoStep;
  uint32_t parent_ = ExecutionTree::kNone;
};

}  // namespace heddle::explore
