// Shadow memory: for every 8 bytes of the program's memory, the accesses of this execution that
// could still be part of a race.
//
// Of the accesses to a cell just those are kept that no later one covers: a plain write that
// happens after another access, to the same bytes, covers it, since whoever races with the covered
// one, and not with the write, would have to come in between. So the first race of an execution is
// found always, and a cell holds a handful of accesses at most.
#pragma once

#include <cstdint>

namespace heddle::runtime {

struct Access {
  uint64_t pc;
  uint32_t time;  // of its thread, when it happened
  uint16_t thread;
  uint8_t bytes;  // bit i: byte i of the cell
  uint8_t flags;
};

enum AccessFlags : uint8_t { kWriteAccess = 1, kAtomicAccess = 2, kFreeAccess = 4 };

struct Cell {
  static constexpr uint32_t kInline = 3;
  uint32_t stamp;  // another than its page's: the cell is empty
  uint32_t count;
  Access* more;  // where there are more than kInline: all of them, room for `capacity`
  uint32_t capacity;
  uint32_t unused;
  Access first[kInline];
};

// The cell of an address, emptied if what it holds is of an earlier execution or of an earlier
// owner of the stack.
Cell* shadow_cell(uint64_t address);
Access* accesses_of(Cell* cell);
void add_access(Cell* cell, const Access& access);

// The memory gets a new life: it has been allocated, or mapped.
void shadow_forget(uint64_t address, uint64_t bytes);
void shadow_reset();

}  // namespace heddle::runtime
