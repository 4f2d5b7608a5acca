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

uint32_t BacktrackLists::find(uint32_t node, uint32_t step) const {
  uint32_t list = first(node);
  while (list != kNone && records_[list].step != step) list = records_[list].next;
  return list;
}

uint32_t BacktrackLists::add(uint32_t node, uint32_t step, uint32_t thread) {
  if (node >= heads_.size()) heads_.resize(std::max<size_t>(node + 1, heads_.size() * 2), kNone);
  uint32_t list = allocate();
  records_[list] = {step, heads_[node], kNone, 1, {static_cast<uint16_t>(thread)}};
  heads_[node] = list;
  return list;
}

void BacktrackLists::append(uint32_t list, uint32_t thread) {
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
  records_[record].threads[place % kRoom] = static_cast<uint16_t>(thread);
}

void BacktrackLists::drop(uint32_t node) {
  uint32_t list = first(node);
  while (list != kNone) {
    uint32_t next = records_[list].next;
    for (uint32_t record = list; record != kNone;) {
      uint32_t more = records_[record].more;
      free(record);
      record = more;
    }
    list = next;
  }
  if (node < heads_.size()) heads_[node] = kNone;
}

bool BacktrackLists::contains(uint32_t list, uint32_t thread) const {
  bool found = false;
  for_each(list, count(list), [&](uint32_t other) { found |= other == thread; });
  return found;
}

}  // namespace heddle::explore
