// See outside.h.
#include "runtime/detect/outside.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "base/raw_call.h"
#include "runtime/detect/order.h"
#include "runtime/detect/races.h"
#include "runtime/detect/racing.h"
#include "runtime/schedule/scheduler.h"

namespace heddle::runtime {

namespace {

constexpr uint32_t kCells = 1024;  // of each table

HEDDLE_OUTSIDE OutsideCell open_files[kCells];
HEDDLE_OUTSIDE OutsideCell file_contents[kCells];
HEDDLE_OUTSIDE OutsideCell keys[kCells];
HEDDLE_OUTSIDE OutsideCell owners[kCells];

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
    note_racing(other.pc, pc);
    note_racing(pc, other.pc);
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

// Who was given the number of a descriptor in this execution.
struct Number {
  uint64_t execution;
  uint64_t name;  // the same in every schedule: who got it, and as which of its own
  uint32_t thread;
  uint32_t time;        // of that thread
  bool is_second_hand;  // somebody has closed it before, while there were other threads
};
constexpr int kNumbers = 65536;
Number g_numbers[kNumbers];

Number* number_of(int fd) { return fd >= 0 && fd < kNumbers ? &g_numbers[fd] : nullptr; }

uint64_t name_of(int fd) {
  const Number* number = number_of(fd);
  bool is_known = number != nullptr && number->execution == g_object_epoch;
  return is_known ? number->name : mix(1, static_cast<uint64_t>(fd));
}

struct File {
  uint64_t execution;
  uint64_t device;
  uint64_t inode;
  OutsideCell* cell;
};
constexpr uint32_t kFiles = 4096;  // that are told apart
File g_files[kFiles];

// The kernel's numbers are others in each execution. Who has opened a file gives it a cell: who
// touches it first may be open.
OutsideCell* contents(uint64_t device, uint64_t inode, int fd) {
  if (device == 0 && inode == 0) return &file_contents[0];  // it is closed
  for (uint64_t i = mix(device, inode);; ++i) {
    File& file = g_files[i % kFiles];
    bool is_known = file.execution == g_object_epoch;
    if (is_known && file.device == device && file.inode == inode) return file.cell;
    if (is_known && i - mix(device, inode) < kFiles) continue;
    OutsideCell* cell = &file_contents[name_of(fd) % kCells];
    file = {g_object_epoch, device, inode, cell};
    return cell;
  }
}

// Whether who uses the number may get at something else if others go first.
bool is_unsure(int fd) {
  const Number* number = number_of(fd);
  if (number == nullptr || g_run.thread_count < 2) return false;
  if (raw_call(SYS_fcntl, fd, F_GETFD, 0) < 0) return true;
  if (number->execution != g_object_epoch || number->thread == g_run.current->index) return false;
  if (!g_ordering) return number->is_second_hand;
  return number->time > order_of(g_run.current).clock.get(number->thread);
}

// A call has two places: its own, and this one for the look at the table.
uint64_t look_of(uint64_t pc) { return pc - 1; }

void touch(const Touch* touches, uint32_t count, uint64_t pc) {
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
HEDDLE_OUTSIDE OutsideCell exit_handlers;
HEDDLE_OUTSIDE OutsideCell library_settings;
HEDDLE_OUTSIDE OutsideCell process_settings;

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
  return contents(file.st_dev, file.st_ino, fd);
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

OutsideCell* owners_of(const void* object) {
  return &owners[mix(reinterpret_cast<uint64_t>(object), 0) % kCells];
}

void touch_outside(const Touch* touches, uint32_t count, uint64_t pc) {
  no_round();
  ++g_run.outside;
  touch(touches, count, pc);
}

void touch_library(const OutsideCell* cell, bool changes, uint64_t pc) {
  const Touch one{cell, changes};
  touch(&one, 1, pc);
}

uint64_t touch_beside_operation(const OutsideCell* cell, uint64_t pc) {
  note(changes(cell), pc);
  return is_racing(pc) ? reinterpret_cast<uint64_t>(cell) : 0;
}

void touch_number(int fd, uint64_t pc) {
  if (is_table_read_at(pc)) {
    reach_range(wire::Op::library_read, reinterpret_cast<uint64_t>(&descriptor_table),
                sizeof descriptor_table, pc);
  }
  note_number(fd, pc);
}

void note_number(int fd, uint64_t pc) {
  if (is_unsure(fd)) note(reads(&descriptor_table), look_of(pc));
}

bool is_table_read_at(uint64_t pc) { return is_racing(look_of(pc)); }

uint64_t table_beside_operation(uint64_t pc) {
  return is_table_read_at(pc) ? reinterpret_cast<uint64_t>(&descriptor_table) : 0;
}

void number_given(int fd) {
  Number* number = number_of(fd);
  if (number == nullptr) return;
  bool is_second_hand = number->execution == g_object_epoch && number->is_second_hand;
  Thread* self = g_run.current;
  *number = {g_object_epoch, mix(self->id, ++self->files), self->index,
             g_ordering ? time_of(self) : 0, is_second_hand};
}

void next_number_given() {
  auto fd = static_cast<int>(raw_call(SYS_eventfd2, 0, 0, 0));
  if (fd < 0) return;
  raw_call(SYS_close, fd, 0, 0);
  number_given(fd);
}

void number_given_back(int fd) {
  Number* number = number_of(fd);
  if (number == nullptr || g_run.thread_count < 2) return;
  *number = {g_object_epoch, 0, wire::kMaxThreads, 0, true};
}

}  // namespace heddle::runtime
