#include "explore/reduction/backtrack_lists.h"

#include <algorithm>

#include "base/check.h"

namespace heddle::explore {

uint32_t BacktrackLists::allocate() {
  ++used_;
  if (free_ == kNone) {
    records_.push_back({});
    return static_cast<uint32_t>(records_.size()) - 1;
  }
  uint32_t record = free_;
  free_ = records_[record].next;
  return record;
}

void BacktrackLists::free(uint32_t record) {
  records_[record].next = free_;
  free_ = record;
  --used_;
}

void BacktrackLists::enter(uint32_t list) {
  uint64_t i = place_of(records_[list].key);
  while (index_[i & (index_.size() - 1)] != kNone) ++i;
  index_[i & (index_.size() - 1)] = list;
}

// Closes the gap: whoever stands behind it, up to the next empty place, and belongs before moves
// up.
void BacktrackLists::take_out(uint32_t list) {
  uint64_t mask = index_.size() - 1;
  uint64_t gap = place_of(records_[list].key);
  while (index_[gap & mask] != list) ++gap;
  for (uint64_t i = gap + 1; index_[i & mask] != kNone; ++i) {
    uint64_t distance = (i - place_of(records_[index_[i & mask]].key)) & mask;
    if (distance < i - gap) continue;
    index_[gap & mask] = index_[i & mask];
    gap = i;
  }
  index_[gap & mask] = kNone;
}

uint32_t BacktrackLists::add(uint32_t node, uint32_t step, uint32_t thread) {
  if (node >= heads_.size()) heads_.resize(std::max<size_t>(node + 1, heads_.size() * 2), kNone);
  uint32_t list = allocate();
  records_[list] = {key_of(node, step), heads_[node], kNone, 1, {static_cast<uint16_t>(thread)}};
  heads_[node] = list;
  if (++list_count_ * 2 > index_.size()) {
    std::vector<uint32_t> old = std::move(index_);
    index_.assign(old.size() * 2, kNone);
    for (uint32_t other : old) {
      if (other != kNone) enter(other);
    }
  }
  enter(list);
  return list;
}

void BacktrackLists::append(uint32_t list, uint32_t thread) {
  HEDDLE_CHECK(!is_mark(thread));
  append_entry(list, thread);
}

void BacktrackLists::append_entry(uint32_t list, uint32_t entry) {
  uint32_t place = records_[list].count++;
  uint32_t record = list;
  for (uint32_t i = kRoom; i <= place; i += kRoom) {
    if (records_[record].more == kNone) {
      uint32_t more = allocate();
      records_[more] = {0, kNone, kNone, 0, {}};
      records_[record].more = more;
    }
    record = records_[record].more;
  }
  records_[record].threads[place % kRoom] = static_cast<uint16_t>(entry);
}

void BacktrackLists::drop(uint32_t node) {
  uint32_t list = first(node);
  while (list != kNone) {
    uint32_t next = records_[list].next;
    take_out(list);
    --list_count_;
    for (uint32_t record = list; record != kNone;) {
      uint32_t more = records_[record].more;
      free(record);
      record = more;
    }
    list = next;
  }
  if (node < heads_.size()) heads_[node] = kNone;
}

bool BacktrackLists::has_mark(uint32_t list, uint32_t thread) const {
  bool found = false;
  for_each(list, count(list), [&](uint32_t entry) {
    found |= entry == (kGivenUp | thread) || entry == (kFailed | thread);
  });
  return found;
}

uint64_t BacktrackLists::sleepers(uint32_t list, uint32_t place) const {
  uint64_t asleep = 0, awake = 0;
  for_each(list, place, [&](uint32_t entry) {
    if (entry >= kFailed) {
      awake |= uint64_t{1} << (entry & 0xff);
    } else if (entry < wire::kSleepers) {
      asleep |= uint64_t{1} << entry;
    }
  });
  return asleep & ~awake;
}

void BacktrackLists::save(ByteWriter& out) const {
  out.put_all(heads_);
  out.put_all(index_);
  out.put(list_count_);
  out.put_all(records_);
  out.put(free_);
  out.put(used_);
}

void BacktrackLists::load(ByteReader& in) {
  heads_ = in.get_all<uint32_t>();
  index_ = in.get_all<uint32_t>();
  in.get(&list_count_);
  records_ = in.get_all<Record>();
  in.get(&free_);
  in.get(&used_);
}

}  // namespace heddle::explore
