#include "explore/execution_tree.h"

#include "base/error.h"

namespace heddle::explore {

void ExecutionTree::add_block() {
  if (blocks_.size() == kNone >> kBlockBits) {
    throw UserError(
        "the search tree has 4,000,000,000 nodes: give a bound, e.g. --preemptions 2, or --depth");
  }
  blocks_.push_back(std::make_unique_for_overwrite<Node[]>(size_t{1} << kBlockBits));
}

}  // namespace heddle::explore
