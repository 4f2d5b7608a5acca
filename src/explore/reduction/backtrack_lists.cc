#include "explore/reduction/backtrack_lists.h"

#include <algorithm>

#include "base/check.h"
#include "wire/layout.h"

namespace heddle::explore {

bool BacktrackLists::List::has_mark(uint32_t thread) const {
  return has_failed(thread) || std::any_of(items_.begin(), items_.end(), [&](const Item& item) {
           return item.entry == (kGivenUp | thread);
         });
}

bool BacktrackLists::List::has_failed(uint32_t thread) const {
  return std::any_of(items_.begin(), items_.end(),
                     [&](const Item& item) { return item.entry == (kFailed | thread); });
}

uint64_t BacktrackLists::List::sleepers(uint32_t place) const {
  uint64_t asleep = 0;
  uint32_t seen = 0;
  for_each(place, [&](uint32_t entry) {
    ++seen;
    if (entry >= kFailed) {
      asleep &= before(entry & 0xff, seen);
    } else if (entry < wire::kSleepers) {
      asleep |= uint64_t{1} << entry;
    }
  });
  return asleep;
}

uint64_t BacktrackLists::List::before(uint32_t thread, uint32_t count) const {
  uint64_t threads = 0;
  bool found = false;
  for_each(count, [&](uint32_t entry) {
    found |= entry == thread;
    if (!found && entry < wire::kSleepers) threads |= uint64_t{1} << entry;
  });
  return threads;
}

BacktrackLists::List BacktrackLists::find(uint32_t node, uint32_t step) const {
  if (node >= heads_.size()) return List({});
  std::span<const Item> items = items_of(heads_[node]);
  auto before = [](const Item& item, uint32_t at) { return item.step < at; };
  auto first = std::lower_bound(items.begin(), items.end(), step, before);
  auto last = first;
  while (last != items.end() && last->step == step) ++last;
  return List({first, last});
}

void BacktrackLists::append(uint32_t node, uint32_t step, uint32_t own, uint32_t thread) {
  HEDDLE_CHECK(!is_mark(thread));
  insert(node, step, own, thread);
}

void BacktrackLists::insert(uint32_t node, uint32_t step, uint32_t own, uint32_t entry) {
  if (node >= heads_.size()) heads_.resize(std::max<size_t>(node + 1, heads_.size() * 2), Head{});
  Head head = heads_[node];
  if (head.count == 0) {
    head.size = 0;
    head.place = allocate(0);
  } else if (head.count >> head.size != 0) {
    HEDDLE_CHECK(head.size + 1u < kSizes);
    uint32_t place = allocate(head.size + 1);
    std::copy_n(items_.begin() + head.place, head.count, items_.begin() + place);
    free(head.place, head.size);
    head.place = place;
    ++head.size;
  }
  // Behind those of the same step, by rising step.
  Item* begin = &items_[head.place];
  Item* at = begin + head.count;
  for (; at != begin && at[-1].step > step; --at) *at = at[-1];
  *at = {step, static_cast<uint16_t>(entry), static_cast<uint16_t>(own)};
  ++head.count;
  heads_[node] = head;
}

void BacktrackLists::drop(uint32_t node) {
  if (node >= heads_.size() || heads_[node].count == 0) return;
  free(heads_[node].place, heads_[node].size);
  heads_[node] = {};
}

uint32_t BacktrackLists::allocate(uint32_t size) {
  used_ += uint64_t{1} << size;
  uint32_t place = free_[size];
  if (place == kNone) {
    place = static_cast<uint32_t>(items_.size());
    items_.resize(items_.size() + (uint64_t{1} << size));
    HEDDLE_CHECK(items_.size() < kNone);
  } else {
    free_[size] = items_[place].step;
  }
  return place;
}

void BacktrackLists::free(uint32_t place, uint32_t size) {
  used_ -= uint64_t{1} << size;
  items_[place].step = free_[size];
  free_[size] = place;
}

void BacktrackLists::save(ByteWriter& out) const {
  out.put_all(heads_);
  out.put_all(items_);
  out.put(free_);
  out.put(used_);
}

void BacktrackLists::load(ByteReader& in) {
  heads_ = in.get_all<Head>();
  items_ = in.get_all<Item>();
  in.get(&free_);
  in.get(&used_);
  auto fits = [&](uint64_t place, uint32_t size) {
    return size < kSizes && place + (uint64_t{1} << size) <= items_.size();
  };
  uint64_t used = 0;
  for (const Head& head : heads_) {
    if (head.count == 0) continue;
    in.check(fits(head.place, head.size) && head.count <= uint64_t{1} << head.size);
    used += uint64_t{1} << head.size;
  }
  for (uint32_t size = 0; size < kSizes; ++size) {
    for (uint32_t place = free_[size]; place != kNone; place = items_[place].step) {
      in.check(fits(place, size));
      used += uint64_t{1} << size;
      in.check(used <= items_.size());  // nor does the list of the free lead in a circle
    }
  }
  in.check(used_ <= used && used == items_.size());
}

}  // namespace heddle::explore
