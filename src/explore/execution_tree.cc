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

void ExecutionTree::save(ByteWriter& out) const {
  out.put(end_);
  out.put(free_);
  out.put(created_);
  out.put(alive_);
  for (uint32_t i = 0; i < end_; ++i) out.put((*this)[i]);
}

void ExecutionTree::load(ByteReader& in) {
  auto end = in.get<uint32_t>();
  in.get(&free_);
  in.get(&created_);
  in.get(&alive_);
  for (end_ = 0; end_ < end; ++end_) {
    if ((end_ & kBlockMask) == 0) add_block();
    in.get(&(*this)[end_]);
  }
}

}  // namespace heddle::explore
