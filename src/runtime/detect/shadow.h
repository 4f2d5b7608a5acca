// Shadow memory: for every 8 bytes of the program's memory, the accesses of this execution that
// could still be part of a race.
//
// Of the accesses to a cell just those are kept that no later one covers: a plain write that
// happens after another access, to the same bytes, covers it, since whoever races with the covered
// one, and not with the write, would have to come in between. So the first race of an execution is
// found always, and a cell holds a handful of accesses at most; mostly one.
#pragma once

#include <cstdint>

#include "runtime/record/clock.h"

namespace heddle::runtime {

struct Access {
  uint64_t place;  // detect/calls.h: keep_place()
  uint32_t time;   // of its thread, when it happened
  uint16_t thread;
  uint8_t bytes;  // bit i: byte i of the cell
  uint8_t flags;
};

// All but the place, put together in a register: an access is compared soon after it was kept, as a
// word, and would have to be waited for if it had been stored piece by piece.
constexpr uint64_t access_word(uint32_t time, uint32_t thread, uint32_t bytes, uint32_t flags) {
  return uint64_t{time} | uint64_t{thread} << 32 | uint64_t{bytes} << 48 | uint64_t{flags} << 56;
}
constexpr uint32_t time_in_word(uint64_t word) { return static_cast<uint32_t>(word); }
constexpr uint32_t thread_in_word(uint64_t word) { return word >> 32 & 0xffff; }

inline Access access_of(uint64_t place, uint64_t word) {
  struct Words {
    uint64_t place;
    uint64_t rest;
  };
  static_assert(sizeof(Words) == sizeof(Access));
  return __builtin_bit_cast(Access, Words{place, word});
}
inline void keep_access(Access* access, uint64_t place, uint64_t word) {
  access->place = place;
  __builtin_memcpy(reinterpret_cast<char*>(access) + sizeof access->place, &word, sizeof word);
}

// All but the place, as access_word() has put it together: many questions are one of this word.
inline uint64_t word_of(const Access& access) {
  uint64_t word;
  __builtin_memcpy(&word, reinterpret_cast<const char*>(&access) + sizeof access.place,
                   sizeof word);
  return word;
}
inline constexpr uint64_t kTimeAndThread = (uint64_t{1} << 48) - 1;
inline constexpr uint64_t kBytesInWord = uint64_t{0xff} << 48;
constexpr uint64_t flags_in_word(uint32_t flags) { return uint64_t{flags} << 56; }

enum AccessFlags : uint8_t {
  kWriteAccess = 1,
  kAtomicAccess = 2,
  kFreeAccess = 4,     // the end of the bytes' life
  kSyncAccess = 8,     // of an object of the library: races with the end of its life alone
  kOutsideAccess = 16  // a cell that stands for state outside of memory: see outside.h
};

// Accesses beyond the first of a cell.
struct MoreAccesses {
  uint32_t count;
  uint32_t capacity;
  bool are_atomic;  // all that have ever been here
  Access at[];
};

// No more than an atomic access: it conflicts with no other such.
constexpr bool is_atomic(uint8_t flags) { return (flags & ~kWriteAccess) == kAtomicAccess; }

struct Cell {
  uint32_t stamp;  // another than its page's: the cell is empty
  uint32_t more;   // 0: the first access is the only one; else where the others are
  Access first;
};

struct CellPage {
  static constexpr uint64_t kBits = 12;
  static constexpr uint64_t kCells = (uint64_t{1} << kBits) / 8;
  uint64_t number;  // address >> kBits
  uint64_t execution;
  uint32_t occupant;  // of the stack that it shadows: see occupant_number(); 0 elsewhere
  uint32_t stamp;     // of its valid cells
  Cell cells[kCells];
};

inline constexpr uint64_t kNearPages = 1024;
extern CellPage* g_near_pages[kNearPages];  // by number modulo; those used last
extern uint64_t g_shadow_execution;         // number of the one that is running

// The page of an address, with a new stamp if what it holds is of an earlier execution or of an
// earlier owner of the stack.
CellPage* shadow_page(uint64_t address);

inline Cell* cell_of(CellPage* page, uint64_t address) {
  return &page->cells[(address >> 3) % CellPage::kCells];
}
inline bool is_empty(const CellPage* page, const Cell* cell) { return cell->stamp != page->stamp; }

// Who has a stack, by index. Main's, which has one occupant for ever, counts as no stack.
constexpr uint32_t occupant_number(uint32_t thread) { return thread + 1; }

// The page of an address that is in no stack, or in that of the thread itself, which is running and
// so has it still; if it is at hand and of this execution. Else null.
inline CellPage* near_page(uint64_t address, uint32_t thread) {
  uint64_t number = address >> CellPage::kBits;
  CellPage* page = g_near_pages[number % kNearPages];
  bool is_current = page != nullptr && page->number == number &&
                    page->execution == g_shadow_execution &&
                    (page->occupant == 0 || page->occupant == occupant_number(thread));
  return is_current ? page : nullptr;
}

inline constexpr uint64_t kMoreUnit = 16;         // in which Cell::more counts
inline MoreAccesses* more_of(const Cell* cell) {  // null: none
  if (cell->more == 0) return nullptr;
  return reinterpret_cast<MoreAccesses*>(g_detector_memory + cell->more * kMoreUnit);
}
void add_more(Cell* cell, const Access& access);

// Calls visit(begin, bytes, argument) for those parts of a stretch that may have cells.
void shadow_visit(uint64_t address, uint64_t bytes, uint64_t argument,
                  void (*visit)(uint64_t begin, uint64_t bytes, uint64_t argument));

// The memory gets a new life: it has been allocated, or mapped.
void shadow_forget(uint64_t address, uint64_t bytes);
void shadow_reset();
// Takes its address space, if it has none yet.
void shadow_reserve();

}  // namespace heddle::runtime
