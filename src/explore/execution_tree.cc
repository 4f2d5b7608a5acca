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
  in.check(end <= in.left() / sizeof(Node));
  for (end_ = 0; end_ < end; ++end_) {
    if ((end_ & kBlockMask) == 0) add_block();
    in.get(&(*this)[end_]);
  }
  check(in);
}

// All that are free are in the list of the free, and who lives has a parent that lives, up to a
// root; it is nobody's own ancestor.
void ExecutionTree::check(ByteReader& in) const {
  uint64_t free = 0;
  for (uint32_t index = free_; index != kNone; index = (*this)[index].parent, ++free) {
    in.check(index < end_ && (*this)[index].live == 0 && free < end_);
  }
  in.check(alive_ <= end_ && free == end_ - alive_);
  uint64_t alive = 0;
  for (uint32_t index = 0; index < end_; ++index) {
    const Node& node = (*this)[index];
    if (node.live == 0) continue;
    ++alive;
    in.check(node.parent == kNone ? node.choice == 0 : lives(node.parent) && node.choice != 0);
  }
  in.check(alive == alive_);
  std::vector<uint32_t> depths = this->depths();
  for (uint32_t depth : depths) in.check(depth != kNone);
}

std::vector<uint32_t> ExecutionTree::depths() const {
  std::vector<uint32_t> depths(end_, kNone);
  std::vector<uint32_t> way;
  for (uint32_t first = 0; first < end_; ++first) {
    if ((*this)[first].live == 0) depths[first] = 0;
    way.clear();
    uint32_t index = first;
    // Longer than there are nodes: it leads in a circle, and is left at kNone.
    while (index != kNone && depths[index] == kNone && way.size() <= end_) {
      way.push_back(index);
      index = (*this)[index].parent;
    }
    if (way.size() > end_) continue;
    uint32_t depth = index == kNone ? 0 : depths[index] + 1;
    for (; !way.empty(); way.pop_back()) depths[way.back()] = depth++;
  }
  return depths;
}

}  // namespace heddle::explore
