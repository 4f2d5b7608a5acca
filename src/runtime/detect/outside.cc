// See outside.h.
#include "runtime/detect/outside.h"

#include <sys/stat.h>
#include <sys/syscall.h>

#include "base/raw_call.h"
#include "runtime/detect/races.h"
#include "runtime/detect/racing.h"
#include "runtime/schedule/scheduler.h"

namespace heddle::runtime {

namespace {

constexpr uint32_t kCells = 1024;  // of each table

HEDDLE_OUTSIDE OutsideCell open_files[kCells];
HEDDLE_OUTSIDE OutsideCell file_contents[kCells];
HEDDLE_OUTSIDE OutsideCell keys[kCells];

struct Duplicate {
  uint64_t execution;
  OutsideCell* cell;  // of the original
};
Duplicate g_duplicates[kCells];

// Without clocks (--races ignore) nobody knows what is ordered: who has touched a cell, by which
// calls.
struct Toucher {
  uint64_t pc;
  uint32_t thread;
  bool changes;
};
constexpr uint32_t kTouchers = 64;  // that are remembered of a cell, the last ones
struct Touchers {
  const OutsideCell* cell;
  uint64_t execution;
  uint32_t count;  // so far
  Toucher at[kTouchers];
};
constexpr uint32_t kTouchedCells = 4096;  // more than there are; by their addresses
Touchers g_touchers[kTouchedCells];

void note_without_clocks(const Touch& touch, uint64_t pc) {
  auto address = reinterpret_cast<uint64_t>(touch.cell);
  Touchers& touchers = g_touchers[address / sizeof(OutsideCell) % kTouchedCells];
  if (touchers.cell != touch.cell || touchers.execution != g_object_epoch) {
    touchers = {touch.cell, g_object_epoch, 0, {}};
  }
  uint32_t self = g_run.current->index;
  uint32_t known = touchers.count < kTouchers ? touchers.count : kTouchers;
  bool is_known = false;
  for (uint32_t i = 0; i < known; ++i) {
    const Toucher& other = touchers.at[i];
    is_known |= other.pc == pc && other.thread == self && other.changes == touch.changes;
    if (other.thread == self || !(other.changes || touch.changes)) continue;
    note_racing(other.pc);
    note_racing(pc);
  }
  if (is_known) return;
  touchers.at[touchers.count++ % kTouchers] = {pc, self, touch.changes};
}

void note(const Touch& touch, uint64_t pc) {
  if (!g_learns_places || g_run.thread_count < 2) return;
  if (!g_ordering) return note_without_clocks(touch, pc);
  check_race(reinterpret_cast<uint64_t>(touch.cell), sizeof *touch.cell,
             static_cast<uint8_t>(kOutsideAccess | (touch.changes ? kWriteAccess : 0)), pc);
}

struct File {
  uint64_t execution;
  uint64_t device;
  uint64_t inode;
  OutsideCell* cell;
};
constexpr uint32_t kFiles = 4096;  // that are told apart
File g_files[kFiles];

// The kernel's numbers are others in each execution. Who touches a file first gives it a cell.
OutsideCell* contents(uint64_t device, uint64_t inode) {
  for (uint64_t i = mix(device, inode);; ++i) {
    File& file = g_files[i % kFiles];
    bool is_known = file.execution == g_object_epoch;
    if (is_known && file.device == device && file.inode == inode) return file.cell;
    if (is_known && i - mix(device, inode) < kFiles) continue;
    Thread* self = g_run.current;
    OutsideCell* cell = &file_contents[mix(self->id, ++self->files) % kCells];
    file = {g_object_epoch, device, inode, cell};
    return cell;
  }
}

uint32_t index_of(int fd) { return static_cast<uint32_t>(fd) % kCells; }

}  // namespace

HEDDLE_OUTSIDE OutsideCell environment;
HEDDLE_OUTSIDE OutsideCell working_directory;
HEDDLE_OUTSIDE OutsideCell file_system;
HEDDLE_OUTSIDE OutsideCell all_contents;
HEDDLE_OUTSIDE OutsideCell descriptor_table;
HEDDLE_OUTSIDE OutsideCell locale_settings;
HEDDLE_OUTSIDE OutsideCell signal_dispositions;
HEDDLE_OUTSIDE OutsideCell thread_keys;
HEDDLE_OUTSIDE OutsideCell tokenizer;
HEDDLE_OUTSIDE OutsideCell calendar;

OutsideCell* open_file(int fd) {
  const Duplicate& duplicate = g_duplicates[index_of(fd)];
  if (duplicate.execution == g_object_epoch) return duplicate.cell;
  // A number that is used again leads to another file, most likely.
  auto file = static_cast<uint64_t>(contents_of(fd) - file_contents);
  return &open_files[mix(static_cast<uint64_t>(fd), file) % kCells];
}

OutsideCell* contents_of(int fd) {
  struct stat file {};
  raw_call(SYS_fstat, fd, raw_argument(&file), 0);
  return contents(file.st_dev, file.st_ino);
}

OutsideCell* contents_of(const char* path) {
  struct stat file {};
  if (raw_call(SYS_stat, raw_argument(path), raw_argument(&file), 0) != 0) return nullptr;
  for (uint64_t i = 0; i < kFiles; ++i) {
    const File& known = g_files[(mix(file.st_dev, file.st_ino) + i) % kFiles];
    if (known.execution != g_object_epoch) return nullptr;
    if (known.device == file.st_dev && known.inode == file.st_ino) return known.cell;
  }
  return nullptr;
}

void same_open_file(int fd, int original) {
  g_duplicates[index_of(fd)] = {g_object_epoch, open_file(original)};
}

void other_open_file(int fd) { g_duplicates[index_of(fd)].execution = 0; }

OutsideCell* thread_key(unsigned key) { return &keys[key % kCells]; }

void touch_outside(const Touch* touches, uint32_t count, uint64_t pc) {
  ++g_run.outside;
  if (count != 0 && is_racing(pc)) {
    const OutsideCell* first = touches[0].cell;
    const OutsideCell* last = first;
    bool changes = false;
    for (uint32_t i = 0; i < count; ++i) {
      if (!touches[i].is_in_operation) continue;
      if (touches[i].cell < first) first = touches[i].cell;
      if (touches[i].cell > last) last = touches[i].cell;
      changes |= touches[i].changes;
    }
    auto bytes = static_cast<uint64_t>(last + 1 - first) * sizeof *first;
    reach_range(changes ? wire::Op::library_change : wire::Op::library_read,
                reinterpret_cast<uint64_t>(first), bytes, pc);
  }
  for (uint32_t i = 0; i < count; ++i) {
    if (touches[i].is_noted) note(touches[i], pc);
  }
}

uint64_t touch_beside_operation(const OutsideCell* cell, uint64_t pc) {
  note(changes(cell), pc);
  return is_racing(pc) ? reinterpret_cast<uint64_t>(cell) : 0;
}

}  // namespace heddle::runtime
