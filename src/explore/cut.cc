#include "explore/cut.h"

namespace heddle::explore {

void Cut::push(int32_t bound, const Key& key, const Entry& entry) {
  waiting_.emplace(Place{bound, entry.step, pushed_++}, Item{key, entry});
  size_ += uint64_t{entry.extra} - entry.choice + 1;
}

Entry Cut::pop() {
  auto first = waiting_.begin();
  Entry entry = first->second.entry;
  if (entry.choice < entry.extra) {
    ++first->second.entry.choice;
  } else {
    waiting_.erase(first);
  }
  --size_;
  return entry;
}

std::vector<Entry> Cut::entries() const {
  std::vector<Entry> all;
  for (const auto& [place, item] : waiting_) all.push_back(item.entry);
  return all;
}

void Cut::save(ByteWriter& out) const {
  out.put(is_open_);
  out.put(pushed_);
  out.put(executions_);
  out.put<uint64_t>(waiting_.size());
  for (const auto& [place, item] : waiting_) {
    out.put(std::get<0>(place));
    out.put(std::get<2>(place));
    out.put(item.key);
    out.put(item.entry);
  }
}

void Cut::load(ByteReader& in) {
  in.get(&is_open_);
  in.check(shard_.is_on() || !is_open_);
  in.get(&pushed_);
  in.get(&executions_);
  auto count = in.get_count(sizeof(int32_t) + sizeof(uint64_t) + sizeof(Key) + sizeof(Entry));
  for (uint64_t i = 0; i < count; ++i) {
    auto bound = in.get<int32_t>();
    auto number = in.get<uint64_t>();
    auto key = in.get<Key>();
    auto entry = in.get<Entry>();
    in.check(is_open_ && number < pushed_ && entry.choice <= entry.extra);
    in.check(waiting_.emplace(Place{bound, entry.step, number}, Item{key, entry}).second);
    size_ += uint64_t{entry.extra} - entry.choice + 1;
  }
}

}  // namespace heddle::explore
