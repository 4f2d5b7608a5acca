#include "explore/state_set.h"

#include <algorithm>
#include <cstring>
#include <functional>

#include "wire/layout.h"

namespace heddle::explore {

void StateSet::add(uint64_t execution, std::span<const char> records) {
  while (records.size() >= sizeof(wire::StateRecord)) {
    wire::StateRecord record;
    std::memcpy(&record, records.data(), sizeof record);
    records = records.subspan(sizeof record);
    // The program under test may have written over it.
    if (record.size > wire::kStateBytes || wire::padded(record.size) > records.size()) return;
    insert(execution, record.step, {records.data(), record.size});
    records = records.subspan(wire::padded(record.size));
  }
}

void StateSet::add_all(const StateSet& other) {
  for (uint64_t i = 0; i < other.size(); ++i) {
    State one = other.state(i);
    insert(one.execution, one.step, one.bytes);
  }
}

void StateSet::insert(uint64_t execution, uint32_t step, std::string_view bytes) {
  auto [first, last] = by_hash_.equal_range(std::hash<std::string_view>()(bytes));
  if (std::any_of(first, last, [&](auto& known) { return state(known.second).bytes == bytes; })) {
    return;
  }
  entries_.push_back({execution, bytes_.size(), static_cast<uint32_t>(bytes.size()), step});
  bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  remember(entries_.size() - 1);
}

void StateSet::remember(uint64_t number) {
  by_hash_.emplace(std::hash<std::string_view>()(state(number).bytes), number);
}

StateSet::State StateSet::state(uint64_t number) const {
  const Entry& entry = entries_[number];
  return {entry.execution, entry.step, {bytes_.data() + entry.begin, entry.size}};
}

void StateSet::save(ByteWriter& out) const {
  out.put_all(bytes_);
  out.put_all(entries_);
}

void StateSet::load(ByteReader& in) {
  bytes_ = in.get_all<char>();
  entries_ = in.get_all<Entry>();
  for (const Entry& entry : entries_) {
    in.check(entry.begin <= bytes_.size() && entry.size <= bytes_.size() - entry.begin);
  }
  for (uint64_t i = 0; i < entries_.size(); ++i) remember(i);
}

}  // namespace heddle::explore
