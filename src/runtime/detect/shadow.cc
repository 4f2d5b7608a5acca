// See shadow.h. Pages of cells, found through a table of their addresses, with the last few at
// hand.
#include "runtime/detect/shadow.h"

#include <string.h>
#include <sys/mman.h>

#include "base/hash.h"
#include "runtime/carrier/slots.h"
#include "runtime/detect/clock.h"
#include "runtime/real.h"
#include "runtime/runtime.h"

namespace heddle::runtime {

namespace {

constexpr uint64_t kPageBits = 12;
constexpr uint64_t kCells = (uint64_t{1} << kPageBits) / 8;
constexpr uint64_t kNear = 256;

struct Page {
  uint64_t number;  // address >> kPageBits
  uint64_t execution;
  uint32_t occupant;  // of the stack that it shadows: index of a thread + 1; 0 elsewhere
  uint32_t stamp;     // of its valid cells
  Cell cells[kCells];
};

Page** g_pages;  // open addressing
uint64_t g_mask, g_count;
Page* g_near[kNear];
uint64_t g_execution = 1;
uint32_t g_stamp;

uint32_t occupant_of(uint64_t address) {
  uint32_t owner;
  uint64_t offset;
  uint64_t number = (address - kStackBase) / kStackStride;
  if (number >= wire::kMaxThreads || !stack_offset(address, &owner, &offset)) return 0;
  return owner + 1;
}

void* own_memory(uint64_t bytes) {
  void* memory = HEDDLE_REAL(mmap)(nullptr, bytes, PROT_READ | PROT_WRITE,
                                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  HEDDLE_INVARIANT(memory != MAP_FAILED);
  return memory;
}

Page** place_of(Page** pages, uint64_t mask, uint64_t number) {
  uint64_t i = mix(number, 1);
  while (pages[i & mask] != nullptr && pages[i & mask]->number != number) ++i;
  return &pages[i & mask];
}

void grow() {
  uint64_t size = g_pages == nullptr ? 4096 : (g_mask + 1) * 2;
  auto** pages = static_cast<Page**>(own_memory(size * sizeof(Page*)));
  for (uint64_t i = 0; g_pages != nullptr && i <= g_mask; ++i) {
    if (g_pages[i] != nullptr) *place_of(pages, size - 1, g_pages[i]->number) = g_pages[i];
  }
  g_pages = pages;
  g_mask = size - 1;
}

Page* find_page(uint64_t number) {
  if (g_count * 2 >= g_mask + 1 || g_pages == nullptr) grow();
  Page** place = place_of(g_pages, g_mask, number);
  if (*place == nullptr) {
    *place = static_cast<Page*>(own_memory(sizeof(Page)));
    (*place)->number = number;
    ++g_count;
  }
  return *place;
}

Page* page_of(uint64_t address) {
  uint64_t number = address >> kPageBits;
  Page*& near = g_near[number % kNear];
  if (HEDDLE_UNLIKELY(near == nullptr || near->number != number)) near = find_page(number);
  Page* page = near;
  uint32_t occupant = occupant_of(address);
  if (HEDDLE_UNLIKELY(page->execution != g_execution || page->occupant != occupant)) {
    page->execution = g_execution;
    page->occupant = occupant;
    page->stamp = ++g_stamp;
  }
  return page;
}

}  // namespace

Cell* shadow_cell(uint64_t address) {
  Page* page = page_of(address);
  Cell* cell = &page->cells[(address >> 3) % kCells];
  if (cell->stamp != page->stamp) {
    cell->stamp = page->stamp;
    cell->count = 0;
    cell->more = nullptr;
  }
  return cell;
}

Access* accesses_of(Cell* cell) { return cell->more != nullptr ? cell->more : cell->first; }

void add_access(Cell* cell, const Access& access) {
  uint32_t capacity = cell->more != nullptr ? cell->capacity : Cell::kInline;
  if (cell->count == capacity) {
    auto* more = static_cast<Access*>(take_detector_memory(capacity * 2 * sizeof(Access)));
    memcpy(more, accesses_of(cell), cell->count * sizeof(Access));
    cell->more = more;
    cell->capacity = capacity * 2;
  }
  accesses_of(cell)[cell->count++] = access;
}

void shadow_forget(uint64_t address, uint64_t bytes) {
  for (uint64_t at = address & ~uint64_t{7}; at < address + bytes; at += 8)
    shadow_cell(at)->count = 0;
}

void shadow_reset() { ++g_execution; }

}  // namespace heddle::runtime
