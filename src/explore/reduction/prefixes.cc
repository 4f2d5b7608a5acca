#include "explore/reduction/prefixes.h"

namespace heddle::explore {

Entry Prefixes::pop() {
  Entry entry = waiting_.begin()->second;
  waiting_.erase(waiting_.begin());
  step_ = entry.step;
  parent_ = entry.parent;
  return entry;
}

bool Prefixes::is_due() const {
  if (empty()) return true;
  const Entry& next = waiting_.begin()->second;
  bool is_between = next.step != step_ || next.parent != parent_;
  return is_between && common_.size() >= kExecutionsPerPart * uint64_t{shard_.count};
}

std::set<uint32_t> Prefixes::nodes_split_at(uint32_t step, const ExecutionTree& tree) const {
  std::set<uint32_t> nodes;
  for (const Common& one : common_) {
    const Node& node = tree[one.node];
    if (node.step == step && node.parent != ExecutionTree::kNone) {
      nodes.insert({one.node, node.parent});
    }
  }
  return nodes;
}

std::vector<Entry> Prefixes::reasons() const {
  std::vector<Entry> all;
  for (const Common& one : common_) all.push_back({one.node, 0, 0, 1, 0});
  for (const auto& [place, entry] : waiting_) all.push_back(entry);
  return all;
}

void Prefixes::save(ByteWriter& out) const {
  out.put(is_open_);
  std::vector<Entry> entries;
  std::vector<uint64_t> numbers;
  for (const auto& [place, entry] : waiting_) {
    entries.push_back(entry);
    numbers.push_back(std::get<2>(place));
  }
  out.put_all(entries);
  out.put_all(numbers);
  out.put(pushed_);
  out.put_all(common_);
  out.put(step_);
  out.put(parent_);
}

void Prefixes::load(ByteReader& in) {
  in.get(&is_open_);
  std::vector<Entry> entries = in.get_all<Entry>();
  std::vector<uint64_t> numbers = in.get_all<uint64_t>();
  in.get(&pushed_);
  common_ = in.get_all<Common>();
  in.get(&step_);
  in.get(&parent_);
  in.check(is_open_ ? shard_.is_on() : entries.empty() && common_.empty());
  in.check(entries.size() == numbers.size());
  for (size_t i = 0; i < entries.size(); ++i) {
    const Entry& entry = entries[i];
    in.check(numbers[i] < pushed_);
    in.check(waiting_.emplace(Place{entry.step, entry.parent, numbers[i]}, entry).second);
  }
}

}  // namespace heddle::explore
