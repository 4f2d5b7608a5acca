// See snapshot.h.
#include "runtime/isolate/snapshot.h"

#include <link.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/isolate/arena.h"
#include "runtime/isolate/modules.h"
#include "runtime/own_memory.h"

namespace heddle::runtime {

namespace {

constexpr uint64_t kPage = 4096;

struct Range {
  char* begin;
  uint64_t bytes;
  char* copy;
  uint8_t* dirty;  // one for each page
};

struct DirtyPage {
  char* page;
  const char* copy;
};

constexpr uint32_t kMaxRanges = 512;
Range g_ranges[kMaxRanges];
uint32_t g_range_count;
DirtyPage* g_dirty;
uint64_t g_dirty_count, g_dirty_capacity;
bool g_learnt;  // the last execution has been compared, if need be: what is clean is protected

void add_range(char* begin, uint64_t bytes) {
  // Whole pages: the rest of a segment's last page belongs to it too.
  uint64_t low = reinterpret_cast<uint64_t>(begin) & ~(kPage - 1);
  uint64_t high = (reinterpret_cast<uint64_t>(begin) + bytes + kPage - 1) & ~(kPage - 1);
  if (low == high) return;
  HEDDLE_INVARIANT(g_range_count < kMaxRanges);
  Range& range = g_ranges[g_range_count++];
  range = {reinterpret_cast<char*>(low), high - low, nullptr, nullptr};
}

int add_segments(dl_phdr_info* info, size_t, void*) {
  if (is_excluded(info->dlpi_name)) return 0;
  uint64_t relro_begin = 0, relro_end = 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info->dlpi_phdr[i];
    if (header.p_type != PT_GNU_RELRO) continue;
    relro_begin = (info->dlpi_addr + header.p_vaddr) & ~(kPage - 1);
    relro_end = (info->dlpi_addr + header.p_vaddr + header.p_memsz) & ~(kPage - 1);
  }
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info->dlpi_phdr[i];
    if (header.p_type != PT_LOAD || (header.p_flags & PF_W) == 0) continue;
    uint64_t begin = info->dlpi_addr + header.p_vaddr;
    uint64_t end = begin + header.p_memsz;
    if (relro_begin < end && relro_end > begin) begin = relro_end;
    if (begin < end) add_range(reinterpret_cast<char*>(begin), end - begin);
  }
  return 0;
}

void protect(Range* range, uint64_t page, uint64_t pages, int protection) {
  HEDDLE_REAL(mprotect)(range->begin + page * kPage, pages * kPage, protection);
}

void mark_dirty(Range* range, uint64_t page) {
  if (range->dirty[page] != 0) return;
  range->dirty[page] = 1;
  HEDDLE_INVARIANT(g_dirty_count < g_dirty_capacity);
  g_dirty[g_dirty_count++] = {range->begin + page * kPage, range->copy + page * kPage};
}

void learn() {
  for (uint32_t i = 0; i < g_range_count; ++i) {
    Range& range = g_ranges[i];
    uint64_t pages = range.bytes / kPage;
    uint64_t clean_from = 0;
    for (uint64_t page = 0; page < pages; ++page) {
      bool clean = range.dirty[page] == 0 &&
                   memcmp(range.begin + page * kPage, range.copy + page * kPage, kPage) == 0;
      if (clean) continue;
      mark_dirty(&range, page);
      if (clean_from < page) protect(&range, clean_from, page - clean_from, PROT_READ);
      clean_from = page + 1;
    }
    if (clean_from < pages) protect(&range, clean_from, pages - clean_from, PROT_READ);
  }
  g_learnt = true;
}

Range* range_of(uint64_t address) {
  for (uint32_t i = 0; i < g_range_count; ++i) {
    if (address - reinterpret_cast<uint64_t>(g_ranges[i].begin) < g_ranges[i].bytes)
      return &g_ranges[i];
  }
  return nullptr;
}

}  // namespace

void snapshot_take() {
  dl_iterate_phdr(add_segments, nullptr);
  arena_seal(add_range);
  uint64_t pages = 0;
  for (uint32_t i = 0; i < g_range_count; ++i) {
    Range& range = g_ranges[i];
    pages += range.bytes / kPage;
    range.copy = static_cast<char*>(own_memory(range.bytes));
    memcpy(range.copy, range.begin, range.bytes);
    range.dirty = static_cast<uint8_t*>(own_memory(range.bytes / kPage));
  }
  g_dirty_capacity = pages + 1;
  g_dirty = static_cast<DirtyPage*>(own_memory(g_dirty_capacity * sizeof(DirtyPage)));
}

void snapshot_restore() {
  if (HEDDLE_UNLIKELY(!g_learnt)) learn();
  for (uint64_t i = 0; i < g_dirty_count; ++i) {
    HEDDLE_REAL(memcpy)(g_dirty[i].page, g_dirty[i].copy, kPage);
  }
}

void snapshot_changed(void (*visit)(uint64_t begin, uint64_t bytes)) {
  if (g_range_count == 0) {
    bool active = g_active;
    g_active = false;  // the list of modules has a lock
    dl_iterate_phdr(add_segments, nullptr);
    g_active = active;
    arena_before_executions(add_range);
  }
  if (g_learnt) {
    for (uint64_t i = 0; i < g_dirty_count; ++i) {
      visit(reinterpret_cast<uint64_t>(g_dirty[i].page), kPage);
    }
    return;
  }
  for (uint32_t i = 0; i < g_range_count; ++i) {
    visit(reinterpret_cast<uint64_t>(g_ranges[i].begin), g_ranges[i].bytes);
  }
}

bool snapshot_contains(uint64_t address) { return range_of(address) != nullptr; }

void snapshot_note_module() { g_range_count = 0; }

void snapshot_open() {
  if (!g_learnt) return;
  g_learnt = false;
  for (uint32_t i = 0; i < g_range_count; ++i) {
    protect(&g_ranges[i], 0, g_ranges[i].bytes / kPage, PROT_READ | PROT_WRITE);
  }
}

bool snapshot_fault(uint64_t address) {
  if (!g_learnt) return false;
  Range* range = range_of(address);
  if (range == nullptr) return false;
  uint64_t page = (address - reinterpret_cast<uint64_t>(range->begin)) / kPage;
  if (range->dirty[page] != 0) return false;
  mark_dirty(range, page);
  protect(range, page, 1, PROT_READ | PROT_WRITE);
  return true;
}

void snapshot_prepare_write(void* begin, uint64_t bytes) {
  if (!g_learnt || bytes == 0) return;
  uint64_t first = reinterpret_cast<uint64_t>(begin) & ~(kPage - 1);
  for (uint64_t page = first; page < reinterpret_cast<uint64_t>(begin) + bytes; page += kPage)
    snapshot_fault(page);
}

}  // namespace heddle::runtime
