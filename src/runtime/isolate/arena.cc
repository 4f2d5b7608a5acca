// See arena.h.
//
// A block is a header of 16 bytes and its payload. Sizes are rounded up to classes, four for each
// doubling; a freed block goes to the list of its class, of the thread that freed it, after some
// time in quarantine.
#include "runtime/isolate/arena.h"

#include <string.h>
#include <sys/mman.h>

#include <atomic>

#include "runtime/fill.h"
#include "runtime/isolate/addressable.h"
#include "runtime/real.h"
#include "runtime/run.h"
#include "runtime/runtime.h"

namespace heddle::runtime {

namespace {

constexpr uint64_t kHeader = 16;
constexpr uint64_t kPage = 4096;
constexpr uint32_t kClasses = 160;
constexpr uint64_t kQuarantine = uint64_t{1} << 20;    // bytes that a thread has freed last
constexpr uint64_t kEngineRoom = kHeapRegionSize / 2;  // of heddle::check, and of its caller
constexpr uint64_t kCommonEngineRoom = kCommonHeapSize / 2;
constexpr uint64_t kLargest = kHeapRegionSize / 8;  // larger ones come from the common region

struct Header {
  uint32_t handed_out;  // of a block's own header: the shift of the pointer that its user has
  uint16_t size_class;
  uint16_t
      shift;  // from the block's payload to the pointer handed out, in units of 16: for alignment
  uint64_t size;  // asked for
};
static_assert(sizeof(Header) == kHeader);

struct FreeBlock {
  FreeBlock* next;
  uint64_t freed_at;  // pc
};

// Freed blocks in the order in which they were freed.
struct Quarantine {
  FreeBlock* oldest;
  FreeBlock* newest;
  uint64_t bytes;
};

struct Heap {
  uint64_t top;    // end of what is allocated
  uint64_t dirty;  // from here on the memory has never been used: it is zero
  uint64_t end;
  bool mapped;
  bool used;             // in this execution
  bool is_free_changed;  // since it began
  FreeBlock* free[kClasses];
  Quarantine quarantine;
};

Heap g_heaps[wire::kMaxThreads + 1];
Heap g_common;
Heap g_sealed_main, g_sealed_common;
uint64_t g_live_bytes, g_sealed_live_bytes;
// Where the executions' own blocks begin, in main's region and in the common one.
uint64_t g_main_begin = kHeapBase, g_common_begin = kCommonHeapBase;
uint32_t g_heaps_used;  // in this execution: numbers below
std::atomic<uint32_t> g_lock;
bool g_shadowed;  // addressable.h is in place

class Lock {
 public:
  Lock() : held_(!g_active) {
    if (!held_) return;
    while (g_lock.exchange(1, std::memory_order_acquire) != 0) __builtin_ia32_pause();
  }
  ~Lock() {
    if (held_) g_lock.store(0, std::memory_order_release);
  }

 private:
  bool held_;  // an execution has one carrier: no lock
};

// Class c holds payloads of class_size(c) bytes: 16, 32, 48, 64, 80, 96, 112, 128, 160, 192, 224,
// 256, 320, …
uint32_t class_of(uint64_t size) {
  if (size <= 128) return size == 0 ? 0 : static_cast<uint32_t>((size - 1) / 16);
  uint32_t log =
      63 - static_cast<uint32_t>(__builtin_clzll(size - 1));  // 2^log < size <= 2^(log+1)
  uint32_t quarter = static_cast<uint32_t>(((size - 1) >> (log - 2)) & 3);
  return 8 + (log - 7) * 4 + quarter;
}

uint64_t class_size(uint32_t c) {
  if (c < 8) return (c + 1) * uint64_t{16};
  uint32_t log = (c - 8) / 4 + 7;
  return (uint64_t{1} << log) + ((c - 8) % 4 + 1) * (uint64_t{1} << (log - 2));
}

bool map_heap(Heap* heap, uint64_t base, uint64_t size) {
  if (!g_shadowed && !addressable_begin()) return false;
  g_shadowed = true;
  void* memory =
      HEDDLE_REAL(mmap)(reinterpret_cast<void*>(base), size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (memory != reinterpret_cast<void*>(base)) return false;
  heap->mapped = true;
  heap->dirty = base;
  heap->top = base;
  heap->end = base + size;
  return true;
}

uint64_t heap_base(uint32_t number) { return kHeapBase + number * kHeapRegionSize; }

// In this execution, by its thread, for the first time. False: it has no memory.
__attribute__((noinline)) bool begin_heap(Heap* heap, uint32_t number) {
  if (!heap->mapped && !map_heap(heap, heap_base(number), kHeapRegionSize)) return false;
  heap->used = true;
  if (number != 0) {
    heap->top = heap_base(number);
    if (heap->is_free_changed) memset(heap->free, 0, sizeof heap->free);
    heap->is_free_changed = false;
    heap->quarantine = {};
  }
  // Those between have not been used in this execution.
  if (number >= g_heaps_used) g_heaps_used = number + 1;
  return true;
}

inline Heap* heap_of_caller() {
  uint32_t number = g_active ? g_run.current->index : 0;
  Heap* heap = &g_heaps[number];
  return HEDDLE_LIKELY(heap->used) || begin_heap(heap, number) ? heap : nullptr;
}

uint64_t limit() { return g_region != nullptr ? g_region->config.memory_bytes : ~uint64_t{0}; }

// `size` bytes from the end of the heap; they are zero. 0: exhausted.
uint64_t extend(Heap* heap, uint64_t size) {
  if (size > heap->end - heap->top) return 0;
  uint64_t block = heap->top;
  heap->top += size;
  if (block < heap->dirty) {
    uint64_t used = heap->dirty - block < size ? heap->dirty - block : size;
    fill(reinterpret_cast<void*>(block), 0, used);
  }
  if (heap->top > heap->dirty) heap->dirty = heap->top;
  return block;
}

Heap* common_heap() {
  if (!g_common.mapped && !map_heap(&g_common, kCommonHeapBase, kCommonHeapSize)) return nullptr;
  g_common.used = true;
  return &g_common;
}

// A payload of a class, zeroed.
uint64_t take(uint32_t size_class) {
  uint64_t payload_size = class_size(size_class);
  Heap* heap = payload_size <= kLargest ? heap_of_caller() : common_heap();
  if (heap == nullptr) return 0;
  FreeBlock* block = heap->free[size_class];
  if (block != nullptr) {
    heap->free[size_class] = block->next;
    heap->is_free_changed = true;
    fill(block, 0, payload_size);
    auto payload = reinterpret_cast<uint64_t>(block);
    mark_unused(payload, payload + payload_size);
    return payload;
  }
  uint64_t start = extend(heap, payload_size + kHeader);
  if (start == 0 && heap != &g_common && common_heap() != nullptr)
    start = extend(&g_common, payload_size + kHeader);
  return start == 0 ? 0 : start + kHeader;
}

Header* header_of(const void* pointer) {
  return reinterpret_cast<Header*>(reinterpret_cast<uint64_t>(pointer) - kHeader);
}
Header* block_header(const FreeBlock* block) { return header_of(block); }

void release(Heap* heap, FreeBlock* block) {
  heap->is_free_changed = true;
  FreeBlock*& list = heap->free[block_header(block)->size_class];
  block->next = list;
  list = block;
}

// The block rests in quarantine; those that have rested long enough can be used again.
void hold(Heap* heap, FreeBlock* block, uint64_t size) {
  Quarantine& quarantine = heap->quarantine;
  (quarantine.oldest == nullptr ? quarantine.oldest : quarantine.newest->next) = block;
  quarantine.newest = block;
  quarantine.bytes += size;
  while (quarantine.bytes > kQuarantine) {
    FreeBlock* oldest = quarantine.oldest;
    quarantine.oldest = oldest->next;
    quarantine.bytes -= class_size(block_header(oldest)->size_class);
    release(heap, oldest);
  }
}

// Both heaps as executions find them; what they have in use stays.
void part_from_engine() {
  auto part = [](Heap* heap, uint64_t base, uint64_t room) {
    if (heap->top > base + room) return;
    heap->top = base + room;
    memset(heap->free, 0, sizeof heap->free);
    heap->quarantine = {};
  };
  if (common_heap() == nullptr || !g_heaps[0].mapped) return;
  g_common.used = false;
  part(&g_heaps[0], kHeapBase, kEngineRoom);
  part(&g_common, kCommonHeapBase, kCommonEngineRoom);
  g_sealed_main = g_heaps[0];
  g_sealed_common = g_common;
}

// Blocks of before the snapshot that this execution has freed or resized: the next one finds them
// as they were.
constexpr uint32_t kMaxSealedNotes = 1 << 22;
uint64_t g_sealed_notes[kMaxSealedNotes];
uint32_t g_sealed_note_count;

bool is_sealed(uint64_t address) {
  return address < g_sealed_main.top ||
         (address >= kCommonHeapBase && address < g_sealed_common.top);
}

void note_sealed(uint64_t pointer) {
  if (!g_active || !is_sealed(pointer)) return;
  HEDDLE_INVARIANT(g_sealed_note_count < kMaxSealedNotes);
  g_sealed_notes[g_sealed_note_count++] = pointer;
}

}  // namespace

void* arena_allocate(size_t size, size_t alignment) {
  Lock lock;
  if (size > kCommonHeapSize / 2 || alignment > (uint64_t{1} << 19)) return nullptr;
  uint64_t wanted = alignment <= 16 ? size : size + alignment;
  uint32_t size_class = class_of(wanted);
  if (g_live_bytes + class_size(size_class) > limit()) return nullptr;
  uint64_t payload = take(size_class);
  if (payload == 0) return nullptr;
  g_live_bytes += class_size(size_class);
  uint64_t pointer =
      alignment <= 16 ? payload : (payload + alignment - 1) & ~(uint64_t{alignment} - 1);
  auto shift = static_cast<uint16_t>((pointer - payload) / 16);
  auto number = static_cast<uint16_t>(size_class);
  *header_of(reinterpret_cast<void*>(payload)) = {shift, number, 0, size};
  if (shift != 0) *header_of(reinterpret_cast<void*>(pointer)) = {0, number, shift, size};
  mark_living(pointer, size);
  return reinterpret_cast<void*>(pointer);
}

void arena_free(void* pointer, uint64_t pc) {
  Lock lock;
  // Freed twice, or never allocated: nothing to keep consistent here.
  if (arena_state(pointer) != BlockState::living) return;
  Header* header = header_of(pointer);
  auto address = reinterpret_cast<uint64_t>(pointer);
  note_sealed(address);
  mark_freed(address, header->size);
  uint64_t size = class_size(header->size_class);
  g_live_bytes -= size;
  Heap* heap = size <= kLargest ? heap_of_caller() : common_heap();
  auto* block = reinterpret_cast<FreeBlock*>(address - header->shift * uint64_t{16});
  *block = {nullptr, pc};
  if (g_active) {
    hold(heap, block, size);
  } else {
    release(heap, block);
  }
}

void* arena_reallocate(void* pointer, size_t size, bool moves, uint64_t pc) {
  size_t old_size = arena_size(pointer);
  Header* header = header_of(pointer);
  if (!moves && header->shift == 0 && class_of(size) == header->size_class) {
    auto address = reinterpret_cast<uint64_t>(pointer);
    if (size > old_size) memset(static_cast<char*>(pointer) + old_size, 0, size - old_size);
    note_sealed(address);
    header->size = size;
    mark_unused(address, address + class_size(header->size_class));
    mark_living(address, size);
    return pointer;
  }
  void* moved = arena_allocate(size, 16);
  if (moved == nullptr) return nullptr;
  memcpy(moved, pointer, old_size < size ? old_size : size);
  arena_free(pointer, pc);
  return moved;
}

BlockState arena_state(const void* pointer) {
  auto address = reinterpret_cast<uint64_t>(pointer);
  if (address % 16 != 0 || !in_heap(address - kHeader)) return BlockState::none;
  uint8_t mark = *header_mark(address);
  if (mark == kLivingHeader) return BlockState::living;
  return mark == kFreedHeader ? BlockState::freed : BlockState::none;
}

uint64_t arena_freed_at(uint64_t address) {
  address &= ~uint64_t{7};
  while (in_heap(address) && *addressable_at(address) == kFreedBytes) address -= 8;
  if (!in_heap(address) || *addressable_at(address) != kFreedHeader) return 0;
  uint64_t pointer = address + 8;
  const Header* header = header_of(reinterpret_cast<void*>(pointer));
  return reinterpret_cast<const FreeBlock*>(pointer - header->shift * uint64_t{16})->freed_at;
}

size_t arena_size(const void* pointer) { return header_of(pointer)->size; }

void arena_seal(void (*visit)(char* begin, uint64_t bytes)) {
  Heap* main = &g_heaps[0];
  for (Heap* heap : {main, &g_common}) {
    if (!heap->mapped) continue;
    uint64_t base = heap == main ? kHeapBase : kCommonHeapBase;
    heap->top = (heap->top + kPage - 1) & ~(kPage - 1);
    if (heap->dirty < heap->top) heap->dirty = heap->top;
    if (heap->top > base) visit(reinterpret_cast<char*>(base), heap->top - base);
  }
  main->used = g_common.used = false;
  g_sealed_main = *main;
  g_sealed_common = g_common;
  g_sealed_live_bytes = g_live_bytes;
}

namespace {

// The heap as it was sealed, except for what is now known of its memory.
void reset_heap(Heap* heap, const Heap& sealed, uint64_t base) {
  if (!heap->used) return;
  uint64_t bottom = sealed.top != 0 ? sealed.top : base;
  mark_unused(bottom, heap->top);
  heap->top = bottom;
  heap->used = false;
  if (heap->is_free_changed) memcpy(heap->free, sealed.free, sizeof heap->free);
  heap->is_free_changed = false;
  heap->quarantine = {};
}

}  // namespace

void arena_living(void (*visit)(uint64_t pointer, uint64_t size)) {
  auto walk = [visit](uint64_t at, uint64_t top) {
    while (at < top) {
      uint64_t payload = at + kHeader;
      const Header* header = header_of(reinterpret_cast<void*>(payload));
      uint64_t pointer = payload + header->handed_out * uint64_t{16};
      if (*header_mark(pointer) == kLivingHeader) visit(pointer, header->size);
      at = payload + class_size(header->size_class);
    }
  };
  if (g_heaps[0].used) walk(g_main_begin, g_heaps[0].top);
  for (uint32_t i = 1; i < g_heaps_used; ++i) {
    if (g_heaps[i].used) walk(heap_base(i), g_heaps[i].top);
  }
  if (g_common.used) walk(g_common_begin, g_common.top);
}

void arena_begin_executions(bool has_engine) {
  if (has_engine) part_from_engine();
  if (g_heaps[0].mapped) g_main_begin = g_heaps[0].top;
  if (g_common.mapped) g_common_begin = g_common.top;
}

void arena_before_executions(void (*visit)(char* begin, uint64_t bytes)) {
  if (g_heaps[0].mapped) visit(reinterpret_cast<char*>(kHeapBase), g_main_begin - kHeapBase);
  if (g_common.mapped) {
    visit(reinterpret_cast<char*>(kCommonHeapBase), g_common_begin - kCommonHeapBase);
  }
}

void arena_reset() {
  reset_heap(&g_heaps[0], g_sealed_main, kHeapBase);
  reset_heap(&g_common, g_sealed_common, kCommonHeapBase);
  for (uint32_t i = 1; i < g_heaps_used; ++i) {
    if (g_heaps[i].used) mark_unused(heap_base(i), g_heaps[i].top);
    g_heaps[i].used = false;
  }
  for (; g_sealed_note_count > 0; --g_sealed_note_count) {
    uint64_t pointer = g_sealed_notes[g_sealed_note_count - 1];
    const Header* header = header_of(reinterpret_cast<void*>(pointer));
    mark_unused(pointer, pointer + class_size(header->size_class) - header->shift * uint64_t{16});
    mark_living(pointer, header->size);
  }
  g_heaps_used = 0;
  g_live_bytes = g_sealed_live_bytes;
}

bool heap_offset(uint64_t address, uint32_t* owner, uint64_t* offset) {
  if (address - kHeapBase < kHeapRegionSize * (uint64_t{wire::kMaxThreads} + 1)) {
    *owner = static_cast<uint32_t>((address - kHeapBase) / kHeapRegionSize);
    *offset = (address - kHeapBase) % kHeapRegionSize;
    return true;
  }
  if (address - kCommonHeapBase < kCommonHeapSize) {
    *owner = wire::kNoThread;
    *offset = address - kCommonHeapBase;
    return true;
  }
  return false;
}

}  // namespace heddle::runtime
