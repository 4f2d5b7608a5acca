#include "explore/frontier.h"

namespace heddle::explore {

void Frontier::save(ByteWriter& out) const {
  out.put(root_is_due_);
  out.put(under_way_);
  tree_.save(out);
  fringe_.save(out);
  history_.save(out);
}

void Frontier::load(ByteReader& in, uint64_t rest, const std::vector<Entry>& others) {
  in.get(&root_is_due_);
  in.get(&under_way_);
  tree_.load(in);
  // What each node lives for: those of its successors that live, and those that wait.
  std::vector<uint64_t> reasons(tree_.end());
  for (uint32_t i = 0; i < tree_.end(); ++i) {
    if (tree_.lives(i) && tree_[i].parent != ExecutionTree::kNone) ++reasons[tree_[i].parent];
  }
  auto look_at = [&](const Entry& entry) {
    in.check(tree_.lives(entry.parent) && entry.choice != 0);
    reasons[entry.parent] += fringe_.schedules_of(entry);
  };
  for (const Entry& entry : others) look_at(entry);
  fringe_.load(in, look_at, [&] { memory_.keep(tree_.bytes() + rest, fringe_); });
  history_.load(in);
  // And itself, as long as it is under way.
  uint64_t under_way = 0;
  for (uint32_t i = 0; i < tree_.end(); ++i) {
    in.check(tree_[i].live == reasons[i] || tree_[i].live == reasons[i] + 1);
    under_way += tree_[i].live - reasons[i];
  }
  in.check(under_way == under_way_ && (!root_is_due_ || fringe_.empty()));
}

}  // namespace heddle::explore
