// The program's heap: filled from the bottom, always at the same addresses, reset in no time.
//
// Each thread of an execution allocates from a region of its own and reuses what it has itself
// freed, so that the addresses it gets depend on what it does and not on how the threads
// interleave. It does so late: a freed block stays out of use until its thread has freed a good
// deal more, so that whoever still uses it is found out. A new execution finds the arena as the
// snapshot left it. Fresh memory is always zero: what a program reads uninitialised is the same in
// every execution.
//
// Before the snapshot, and in the process that calls heddle::check, everything goes to main's
// region, under a lock. What executions allocate there begins at a place of its own: the engine of
// heddle::check allocates as well, and its workers, which are forks of it, are not all forked at
// the same moment.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::runtime {

inline constexpr uint64_t kHeapBase = 0x100000000000;
inline constexpr uint64_t kHeapRegionSize =
    uint64_t{512} << 20;  // of a thread; what does not fit goes to the common region
inline constexpr uint64_t kCommonHeapBase = 0x340000000000;
inline constexpr uint64_t kCommonHeapSize = uint64_t{1} << 40;

// True if this process's program allocates from the arena: it is under control, or it may call
// heddle::check.
bool arena_serves();
inline bool in_arena(const void* pointer) {
  uint64_t address = reinterpret_cast<uint64_t>(pointer);
  return address >= kHeapBase && address < kCommonHeapBase + kCommonHeapSize;
}

void* arena_allocate(size_t size, size_t alignment);  // null: exhausted
void arena_free(void* pointer, uint64_t pc = 0);      // by a call at that place
// Where the block around the address was freed; 0: it was not, or nobody knows.
uint64_t arena_freed_at(uint64_t address);
// By a call at that place. `moves`: the block is another one in any case, so that whoever still
// uses the old one is found out.
void* arena_reallocate(void* pointer, size_t size, bool moves, uint64_t pc);
size_t arena_size(const void* pointer);

// What free() would be given: the beginning of a block in use, of one freed already, or neither.
enum class BlockState : uint8_t { living, freed, none };
BlockState arena_state(const void* pointer);

// Calls visit(pointer, size) for each block that this execution has allocated and not freed.
void arena_living(void (*visit)(uint64_t pointer, uint64_t size));

// All memory in use at this moment, to be kept by the snapshot: calls visit(begin, bytes). What is
// allocated afterwards lies on other pages.
void arena_seal(void (*visit)(char* begin, uint64_t bytes));
// As it was when sealed.
void arena_reset();
// What is allocated by now is of before main: arena_living leaves it out. If the process has an
// engine in it, executions find no room in its blocks, nor right behind them.
void arena_begin_executions(bool has_engine);
// What was allocated before: calls visit(begin, bytes).
void arena_before_executions(void (*visit)(char* begin, uint64_t bytes));

// Which thread's region an address is in, and where.
bool heap_offset(uint64_t address, uint32_t* owner, uint64_t* offset);

}  // namespace heddle::runtime
