// See open_files.h. Those calls on open files that need nothing else; read, write, close and their
// kin are in input.cc, output.cc and descriptors.cc.
#include "runtime/intercept/open_files.h"

#include "runtime/before.h"
#include "runtime/isolate/aliases.h"
#include "runtime/isolate/snapshot.h"
#include "runtime/sync/descriptors.h"

namespace heddle::runtime {

namespace {

bool is_file(int fd) { return fd >= 0 && channel_of(fd) == nullptr; }
bool is_shown(int fd) { return fd == 1 || fd == 2; }

void touch_file(int fd, bool moves, bool changes_it, uint64_t pc) {
  for (;;) {
    if (!is_file(fd)) return;
    if (g_shares_files) note_use_of_file(fd);
    const OutsideCell* leads_to = open_file(fd);
    Touches touches;
    touches.add_file(fd, moves, changes_it);
    if (is_table_read_at(pc)) touches.add(reads(&descriptor_table));
    touches.touch(pc);
    note_number(fd, pc);
    // Another thread may have gone first, and have closed it.
    if (!is_file(fd) || open_file(fd) == leads_to) return;
  }
}

}  // namespace

void touch_read(int fd, uint64_t pc) {
  touch_number(fd, pc);
  touch_file(fd, true, false, pc);
}

void touch_write(int fd, uint64_t pc) {
  if (is_shown(fd)) return;
  touch_number(fd, pc);
  touch_file(fd, true, true, pc);
}

void touch_read_at(int fd, uint64_t pc) {
  touch_number(fd, pc);
  touch_file(fd, false, false, pc);
}

void touch_copy(int in, int out, uint64_t pc) {
  touch_number(in, pc);
  touch_number(out, pc);
  Touches touches;
  auto add = [&](int fd, bool changes_it) {
    if (!is_file(fd) || (changes_it && is_shown(fd))) return;
    touches.add_file(fd, true, changes_it);
  };
  add(in, false);
  add(out, true);
  touches.touch(pc);
}

void touch_duplicate(int fd, uint64_t pc) {
  touch_number(fd, pc);
  if (is_file(fd)) touch_outside({changes(&descriptor_table), changes(open_file(fd))}, pc);
}

void touch_close(int fd, uint64_t pc) {
  touch_duplicate(fd, pc);
  if (fd >= 0) other_open_file(fd);
}

void touch_duplicate_over(int fd, int over, uint64_t pc) {
  touch_number(fd, pc);
  touch_number(over, pc);
  if (channel_of(fd) != nullptr || channel_of(over) != nullptr) return;
  Touches touches;
  touches.add(changes(&descriptor_table));
  if (is_file(fd)) touches.add(changes(open_file(fd)));
  if (is_file(over)) touches.add(changes(open_file(over)));
  touches.touch(pc);
}

}  // namespace heddle::runtime

using namespace heddle::runtime;

HEDDLE_LOOK(heddle_seek) { touch_read(call.integer(0), call.pc); }

HEDDLE_BEFORE(lseek, heddle_seek)
HEDDLE_BEFORE(lseek64, heddle_seek)

HEDDLE_LOOK(heddle_read_at) {
  touch_read_at(call.integer(0), call.pc);
  snapshot_open();
}

HEDDLE_BEFORE(__pread_chk, heddle_read_at)
HEDDLE_BEFORE(__pread64_chk, heddle_read_at)
HEDDLE_BEFORE(fstat, heddle_read_at)
HEDDLE_BEFORE(fstat64, heddle_read_at)
HEDDLE_BEFORE(fstatfs, heddle_read_at)
HEDDLE_BEFORE(fstatfs64, heddle_read_at)
HEDDLE_BEFORE(fstatvfs, heddle_read_at)
HEDDLE_BEFORE(fstatvfs64, heddle_read_at)

HEDDLE_LOOK(heddle_write_at) {
  int fd = call.integer(0);
  if (is_shown(fd)) return;
  touch_number(fd, call.pc);
  touch_file(fd, false, true, call.pc);
}

HEDDLE_BEFORE(pwrite, heddle_write_at)
HEDDLE_BEFORE(pwrite64, heddle_write_at)
HEDDLE_BEFORE(pwritev, heddle_write_at)
HEDDLE_BEFORE(pwritev64, heddle_write_at)
HEDDLE_BEFORE(ftruncate, heddle_write_at)
HEDDLE_BEFORE(ftruncate64, heddle_write_at)
HEDDLE_BEFORE(fallocate, heddle_write_at)
HEDDLE_BEFORE(fallocate64, heddle_write_at)
HEDDLE_BEFORE(posix_fallocate, heddle_write_at)
HEDDLE_BEFORE(posix_fallocate64, heddle_write_at)
HEDDLE_BEFORE(fchmod, heddle_write_at)
HEDDLE_BEFORE(fchown, heddle_write_at)
HEDDLE_BEFORE(futimens, heddle_write_at)

HEDDLE_LOOK(heddle_write) { touch_write(call.integer(0), call.pc); }

HEDDLE_BEFORE(pwritev2, heddle_write)
HEDDLE_BEFORE(pwritev64v2, heddle_write)
HEDDLE_BEFORE(dprintf, heddle_write)
HEDDLE_BEFORE(vdprintf, heddle_write)
HEDDLE_BEFORE(__dprintf_chk, heddle_write)
HEDDLE_BEFORE(__vdprintf_chk, heddle_write)

// The offsets are written by the kernel.
HEDDLE_LOOK(heddle_copy) {
  touch_copy(call.integer(0), call.integer(2), call.pc);
  snapshot_open();
}

HEDDLE_BEFORE(copy_file_range, heddle_copy)
