// Files that are open, by their descriptors: what calls on them touch (detect/outside.h).
// Descriptors between threads (sync/descriptors.h) are left out: calls on those are operations. So
// is what goes to standard output and standard error, which the program cannot see again.
#pragma once

#include <cstdint>

#include "runtime/detect/outside.h"

namespace heddle::runtime {

// What a call on one descriptor, or several, touches.
class Touches {
 public:
  void add(Touch touch) {
    if (count_ < kMost) touches_[count_++] = touch;
  }
  // A path as an argument: one that is relative depends on the working directory.
  void add_path(const char* path) {
    if (path != nullptr && path[0] != '/') add(reads(&working_directory));
  }
  // The file that is open at a descriptor: its position, and what it holds.
  void add_file(int fd, bool moves, bool changes_it) {
    add({open_file(fd), moves});
    add({contents_of(fd), changes_it});
    add(reads(&all_contents));
  }
  void touch(uint64_t pc) const { touch_outside(touches_, count_, pc); }

 private:
  static constexpr uint32_t kMost = 8;
  Touch touches_[kMost];
  uint32_t count_ = 0;
};

// The running thread is about to read or write at the file's position, which moves.
void touch_read(int fd, uint64_t pc);
void touch_write(int fd, uint64_t pc);
// … to read elsewhere in the file.
void touch_read_at(int fd, uint64_t pc);
// … to move bytes from one to the other.
void touch_copy(int in, int out, uint64_t pc);
// … to get another descriptor.
inline void touch_new_descriptor(uint64_t pc) { touch_outside(&descriptor_table, true, pc); }
// … one that leads to where this one does. Where a descriptor between threads is concerned, this
// and what follows is left to its operation: see touch_beside_operation().
void touch_duplicate(int fd, uint64_t pc);
// … to close this one; to have `over` lead to where `fd` does.
void touch_close(int fd, uint64_t pc);
void touch_duplicate_over(int fd, int over, uint64_t pc);

}  // namespace heddle::runtime
