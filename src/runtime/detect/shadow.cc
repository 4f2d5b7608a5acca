// See shadow.h. Pages of cells, found through a table of their addresses, with the last few at
// hand.
#include "runtime/detect/shadow.h"

#include <string.h>

#include "base/hash.h"
#include "runtime/carrier/slots.h"
#include "runtime/own_memory.h"

namespace heddle::runtime {

CellPage* g_near_pages[kNearPages];
uint64_t g_shadow_execution = 1;

namespace {

CellPage** g_pages;  // open addressing
uint64_t g_mask, g_count;
uint32_t g_stamp;

// Address space for pages, not memory: what is touched counts.
constexpr uint64_t kPageSpace = uint64_t{256} << 30;
char* g_page_space;
uint64_t g_page_space_used;

// Main's stack has one occupant for ever, and so has what is no stack: 0. The stack of a slot that
// has no thread has another than all threads.
uint32_t occupant_of(uint64_t address) {
  uint32_t owner;
  uint64_t offset;
  uint64_t number = (address - kStackBase) / kStackStride;
  if (HEDDLE_LIKELY(number >= wire::kMaxThreads)) return 0;
  bool is_occupied = stack_offset(address, &owner, &offset) && owner != 0;
  return is_occupied ? occupant_number(owner) : wire::kNoThread;
}

CellPage* new_page() {
  HEDDLE_INVARIANT(g_page_space_used + sizeof(CellPage) <= kPageSpace);
  char* page = g_page_space + g_page_space_used;
  g_page_space_used += sizeof(CellPage);
  return reinterpret_cast<CellPage*>(page);
}

CellPage** place_of(CellPage** pages, uint64_t mask, uint64_t number) {
  uint64_t i = mix(number, 1);
  while (pages[i & mask] != nullptr && pages[i & mask]->number != number) ++i;
  return &pages[i & mask];
}

void grow() {
  uint64_t size = g_pages == nullptr ? 4096 : (g_mask + 1) * 2;
  auto** pages = static_cast<CellPage**>(own_memory(size * sizeof(CellPage*)));
  for (uint64_t i = 0; g_pages != nullptr && i <= g_mask; ++i) {
    if (g_pages[i] != nullptr) *place_of(pages, size - 1, g_pages[i]->number) = g_pages[i];
  }
  if (g_pages != nullptr) HEDDLE_REAL(munmap)(g_pages, (g_mask + 1) * sizeof(CellPage*));
  g_pages = pages;
  g_mask = size - 1;
}

CellPage* find_page(uint64_t number) {
  shadow_reserve();
  if (g_count * 2 >= g_mask + 1) grow();
  CellPage** place = place_of(g_pages, g_mask, number);
  if (*place == nullptr) {
    *place = new_page();
    (*place)->number = number;
    ++g_count;
  }
  return *place;
}

}  // namespace

void shadow_reserve() {
  if (g_page_space != nullptr) return;
  g_page_space = static_cast<char*>(own_memory(kPageSpace));
  grow();
}

CellPage* shadow_page(uint64_t address) {
  uint64_t number = address >> CellPage::kBits;
  CellPage*& near = g_near_pages[number % kNearPages];
  if (HEDDLE_UNLIKELY(near == nullptr || near->number != number)) near = find_page(number);
  CellPage* page = near;
  uint32_t occupant = occupant_of(address);
  if (HEDDLE_UNLIKELY(page->execution != g_shadow_execution || page->occupant != occupant)) {
    page->execution = g_shadow_execution;
    page->occupant = occupant;
    page->stamp = ++g_stamp;
    // Once in four thousand million: no cell may keep a stamp of the time before.
    if (page->stamp == 0) {
      memset(page->cells, 0, sizeof page->cells);
      page->stamp = ++g_stamp;
    }
  }
  return page;
}

void add_more(Cell* cell, const Access& access) {
  MoreAccesses* more = more_of(cell);
  if (more == nullptr || more->count == more->capacity) {
    uint32_t capacity = more == nullptr ? 3 : more->capacity * 2;
    auto* roomier = static_cast<MoreAccesses*>(
        take_detector_memory(sizeof(MoreAccesses) + capacity * sizeof(Access)));
    roomier->count = more == nullptr ? 0 : more->count;
    roomier->capacity = capacity;
    roomier->are_atomic = more == nullptr || more->are_atomic;
    if (more != nullptr) memcpy(roomier->at, more->at, more->count * sizeof(Access));
    more = roomier;
    cell->more =
        static_cast<uint32_t>((reinterpret_cast<char*>(more) - g_detector_memory) / kMoreUnit);
  }
  more->at[more->count++] = access;
  if (!is_atomic(access.flags)) more->are_atomic = false;
}

namespace {

// Calls visit(page, begin, end) for what the pages of this execution have of a stretch.
template <typename Visit>
void visit_pages(uint64_t address, uint64_t bytes, Visit visit) {
  if (g_pages == nullptr) return;
  uint64_t end = address + bytes;
  auto look_at = [&](CellPage* page) {
    if (page == nullptr || page->execution != g_shadow_execution) return;
    uint64_t begin = page->number << CellPage::kBits;
    uint64_t page_end = begin + (uint64_t{1} << CellPage::kBits);
    begin = address > begin ? address : begin;
    page_end = end < page_end ? end : page_end;
    if (begin < page_end) visit(page, begin, page_end);
  };
  if (bytes >> CellPage::kBits > g_count) {
    for (uint64_t i = 0; i <= g_mask; ++i) look_at(g_pages[i]);
    return;
  }
  for (uint64_t number = address >> CellPage::kBits; number << CellPage::kBits < end; ++number) {
    look_at(*place_of(g_pages, g_mask, number));
  }
}

}  // namespace

void shadow_forget(uint64_t address, uint64_t bytes) {
  uint64_t number = address >> CellPage::kBits;
  CellPage* near = g_near_pages[number % kNearPages];
  if (near != nullptr && near->number == number && (address + bytes) >> CellPage::kBits == number) {
    if (near->execution != g_shadow_execution) return;
    for (uint64_t at = address & ~uint64_t{7}; at < address + bytes; at += 8) {
      cell_of(near, at)->stamp = 0;
    }
    return;
  }
  visit_pages(address, bytes, [](CellPage* page, uint64_t begin, uint64_t end) {
    for (uint64_t at = begin & ~uint64_t{7}; at < end; at += 8) cell_of(page, at)->stamp = 0;
  });
}

void shadow_visit(uint64_t address, uint64_t bytes, uint64_t argument,
                  void (*visit)(uint64_t begin, uint64_t bytes, uint64_t argument)) {
  visit_pages(address, bytes, [&](CellPage*, uint64_t begin, uint64_t end) {
    visit(begin, end - begin, argument);
  });
}

void shadow_reset() { ++g_shadow_execution; }

}  // namespace heddle::runtime
