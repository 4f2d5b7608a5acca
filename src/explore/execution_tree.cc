#include "explore/execution_tree.h"

#include "base/error.h"

namespace heddle::explore {

uint32_t ExecutionTree::add_root() {
  uint32_t index = allocate();
  (*this)[index] = {kNone, 1, wire::kNoStep, 0, 0, 0, 0};
  account(wire::kNoStep);
  return index;
}

void ExecutionTree::grow() {
  uint64_t base = uint64_t{blocks_.size()} << kBlockBits;
  if (base + kBlockMask >= kNone) {
    throw UserError(
        "the search tree has 4,000,000,000 nodes: give a bound, e.g. --preemptions 2, or --depth");
  }
  blocks_.push_back(std::make_unique_for_overwrite<Node[]>(size_t{1} << kBlockBits));
  // The lowest index first: neighbours in time are then neighbours in memory.
  for (uint32_t i = kBlockMask + 1; i-- > 0;) {
    blocks_.back()[i].parent = free_;
    free_ = static_cast<uint32_t>(base) + i;
  }
}

}  // namespace heddle::explore
