#include "explore/tree_history.h"

#include <algorithm>

namespace heddle::explore {

uint64_t uncompressed_nodes(const ExecutionTree& tree, const Fringe& fringe) {
  std::vector<uint32_t> deepest(tree.end());  // step of a node's deepest live successor, plus 1
  auto look_at = [&](uint32_t parent, uint32_t step) {
    deepest[parent] = std::max(deepest[parent], step + 1);
  };
  fringe.for_each([&](const Key&, const Entry& entry) { look_at(entry.parent, entry.step); });
  for (uint32_t i = 0; i < tree.end(); ++i) {
    const Node& node = tree[i];
    if (node.live != 0 && node.parent != ExecutionTree::kNone) look_at(node.parent, node.step);
  }
  uint64_t nodes = fringe.size();
  for (uint32_t i = 0; i < tree.end(); ++i) {
    const Node& node = tree[i];
    if (node.live == 0) continue;
    // Of the root, step + 1 is 0: it stands for the empty schedule, too.
    nodes += std::max(deepest[i], node.step + 2) - (node.step + 1);
  }
  return nodes;
}

TreeSample TreeHistory::sample(const ExecutionTree& tree, const Fringe& fringe) const {
  uint64_t alive = tree.alive() + fringe.size();
  uint64_t in_memory = tree.alive() + fringe.entries() - fringe.spilled();
  return {executions_, tree.created(), alive, in_memory * sizeof(Node), std::nullopt};
}

void TreeHistory::take_sample(const ExecutionTree& tree, const Fringe& fringe) {
  if (samples_.size() == kMaxSamples) {
    for (size_t i = 0; i < kMaxSamples / 2; ++i) samples_[i] = samples_[2 * i];
    samples_.resize(kMaxSamples / 2);
    interval_ *= 2;
  }
  next_ = executions_ + interval_;
  samples_.push_back(sample(tree, fringe));
  uint64_t cost = kStepsPerEntry * (kLeastEntries + tree.end() + fringe.entries());
  if (steps_ < paid_ + cost || fringe.spilled() > 0) return;
  paid_ += cost;
  uint64_t bytes = uncompressed_nodes(tree, fringe) * sizeof(Node);
  samples_.back().uncompressed_bytes = bytes;
  uncompressed_peak_ = std::max(uncompressed_peak_, bytes);
}

TreeStatistics TreeHistory::statistics(const ExecutionTree& tree, const Fringe& fringe) const {
  TreeStatistics statistics;
  statistics.nodes_created = tree.created();
  statistics.nodes_peak = alive_peak_;
  statistics.bytes_peak = memory_peak_ * sizeof(Node);
  statistics.spilled_bytes_peak = spilled_peak_ * sizeof(Entry);
  statistics.uncompressed_bytes_peak = uncompressed_peak_;
  statistics.samples = samples_;
  if (executions_ > 0 && samples_.back().executions != executions_) {
    statistics.samples.push_back(sample(tree, fringe));
  }
  return statistics;
}

void TreeHistory::save(ByteWriter& out) const {
  for (uint64_t number : {executions_, alive_peak_, memory_peak_, spilled_peak_, uncompressed_peak_,
                          steps_, paid_, next_, interval_}) {
    out.put(number);
  }
  out.put_all(samples_);
}

void TreeHistory::load(ByteReader& in) {
  for (uint64_t* number : {&executions_, &alive_peak_, &memory_peak_, &spilled_peak_,
                           &uncompressed_peak_, &steps_, &paid_, &next_, &interval_}) {
    in.get(number);
  }
  samples_ = in.get_all<TreeSample>();
}

}  // namespace heddle::explore
