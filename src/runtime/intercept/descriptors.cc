// Where descriptors come from and go to: pipes, eventfds, duplicates, close. See
// sync/descriptors.h.
#include "runtime/sync/descriptors.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>

#include "runtime/ending/ending.h"
#include "runtime/intercept/loopback.h"
#include "runtime/intercept/open_files.h"
#include "runtime/intercept/transfer.h"
#include "runtime/isolate/leftovers.h"
#include "runtime/isolate/snapshot.h"
#include "runtime/real.h"

using namespace heddle;
using namespace heddle::runtime;

using wire::Descriptor;
using wire::Op;

namespace {

// The descriptor `fd`, just made, leads to where `original` does.
int duplicate(int fd, int original) {
  heddle_descriptors_noted = true;
  if (fd < 0) return fd;
  forget_channel(fd);
  number_given(fd);
  if (channel_of(original) != nullptr) {
    share_channel(fd, original);
  } else {
    same_open_file(fd, original);
  }
  return fd;
}

// Whoever waits for a channel of which a descriptor is duplicated or closed may be concerned.
void reach_if_known(Op op, int fd, uint64_t pc) {
  Channel* channel = channel_of(fd);
  if (channel == nullptr) return;
  reach_descriptor(op, channel, fd, pc, touch_beside_operation(&descriptor_table, pc));
}

int make_pipe(int* ends, int flags, uint64_t pc) {
  touch_new_descriptor(pc);
  snapshot_prepare_write(ends, 2 * sizeof *ends);
  heddle_descriptors_noted = true;
  int result = HEDDLE_REAL(pipe2)(ends, flags);
  if (result != 0) return result;
  Channel* channel = new_channel(Descriptor::pipe);
  assign_channel(ends[0], channel);
  assign_channel(ends[1], channel);
  return result;
}

// `over` leads to something else from now on.
int duplicate_over(int fd, int over, int flags, bool with_flags, uint64_t pc) {
  touch_duplicate_over(fd, over, pc);
  reach_if_known(Op::fd_change, fd, pc);
  Channel* replaced = fd != over ? channel_of(over) : nullptr;
  if (replaced != nullptr) reach_if_known(Op::fd_close, over, pc);
  TcpSocket* socket = replaced != nullptr ? tcp_socket(over) : nullptr;
  int result = with_flags ? HEDDLE_REAL(dup3)(fd, over, flags) : HEDDLE_REAL(dup2)(fd, over);
  if (result < 0 || fd == over) return result;
  number_given_back(over);
  duplicate(over, fd);
  if (socket != nullptr) loopback_closed(socket);
  if (replaced != nullptr) channel_given(replaced);
  return result;
}

int control(int fd, int command, void* argument, uint64_t pc) {
  if (command == F_DUPFD || command == F_DUPFD_CLOEXEC) {
    touch_duplicate(fd, pc);
    reach_if_known(Op::fd_change, fd, pc);
    return duplicate(HEDDLE_REAL(fcntl)(fd, command, argument), fd);
  }
  if (command == F_GETLK || command == F_OFD_GETLK) snapshot_prepare_write(argument, sizeof(flock));
  if (command != F_SETPIPE_SZ) return HEDDLE_REAL(fcntl)(fd, command, argument);
  reach_if_known(Op::fd_change, fd, pc);
  int result = HEDDLE_REAL(fcntl)(fd, command, argument);
  if (Channel* channel = channel_of(fd)) channel_given(channel);
  return result;
}

}  // namespace

int heddle::runtime::controlled_close(int fd, uint64_t pc) {
  touch_close(fd, pc);
  reach_if_known(Op::fd_close, fd, pc);
  Channel* channel = channel_of(fd);
  TcpSocket* socket = tcp_socket(fd);
  close_channel(fd);
  number_given_back(fd);
  int result = HEDDLE_REAL(close)(fd);
  if (socket != nullptr) loopback_closed(socket);
  // Who closes a listener gives nothing to those who connect elsewhere.
  if (channel == tcp_sockets()) {
    channel_changed(channel);
  } else if (channel != nullptr) {
    channel_given(channel);
  }
  return result;
}

HEDDLE_EXPORT int pipe(int* ends) noexcept {
  if (!g_active) return HEDDLE_REAL(pipe)(ends);
  return make_pipe(ends, 0, HEDDLE_CALLER);
}

HEDDLE_EXPORT int pipe2(int* ends, int flags) noexcept {
  if (!g_active) return HEDDLE_REAL(pipe2)(ends, flags);
  return make_pipe(ends, flags, HEDDLE_CALLER);
}

HEDDLE_EXPORT int eventfd(unsigned value, int flags) noexcept {
  if (!g_active) return HEDDLE_REAL(eventfd)(value, flags);
  touch_new_descriptor(HEDDLE_CALLER);
  int fd = HEDDLE_REAL(eventfd)(value, flags);
  if (fd < 0) return fd;
  heddle_descriptors_noted = true;
  assign_channel(fd, new_channel(Descriptor::eventfd));
  return fd;
}

HEDDLE_EXPORT int dup(int fd) noexcept {
  if (!g_active) return HEDDLE_REAL(dup)(fd);
  touch_duplicate(fd, HEDDLE_CALLER);
  reach_if_known(Op::fd_change, fd, HEDDLE_CALLER);
  return duplicate(HEDDLE_REAL(dup)(fd), fd);
}

HEDDLE_EXPORT int dup2(int fd, int over) noexcept {
  if (!g_active) return HEDDLE_REAL(dup2)(fd, over);
  return duplicate_over(fd, over, 0, false, HEDDLE_CALLER);
}

HEDDLE_EXPORT int dup3(int fd, int over, int flags) noexcept {
  if (!g_active) return HEDDLE_REAL(dup3)(fd, over, flags);
  return duplicate_over(fd, over, flags, true, HEDDLE_CALLER);
}

HEDDLE_EXPORT int close(int fd) {
  if (!g_active) return HEDDLE_REAL(close)(fd);
  return controlled_close(fd, HEDDLE_CALLER);
}

HEDDLE_EXPORT int close_range(unsigned first, unsigned last, int flags) noexcept {
  if (!g_active || (flags & CLOSE_RANGE_CLOEXEC) != 0)
    return HEDDLE_REAL(close_range)(first, last, flags);
  touch_outside({changes(&descriptor_table), changes(&file_system)}, HEDDLE_CALLER);
  constexpr unsigned kHighest = 65535;  // that can have a channel
  for (unsigned fd = first; fd <= last && fd <= kHighest; ++fd) {
    if (channel_of(static_cast<int>(fd)) != nullptr)
      controlled_close(static_cast<int>(fd), HEDDLE_CALLER);
  }
  return HEDDLE_REAL(close_range)(first, last, flags);
}

HEDDLE_EXPORT void closefrom(int first) noexcept {
  if (!g_active) return HEDDLE_REAL(closefrom)(first);
  close_range(first < 0 ? 0 : static_cast<unsigned>(first), ~0u, 0);
}

// A stream holds its lock while it waits, where nobody would see that others wait for it.
HEDDLE_EXPORT FILE* fdopen(int fd, const char* mode) noexcept {
  if (g_active && channel_of(fd) != nullptr)
    end_unsupported("fdopen of a descriptor between threads", HEDDLE_CALLER,
                    "use read and write on the descriptor itself");
  if (g_active) touch_read_at(fd, HEDDLE_CALLER);
  heddle_descriptors_noted = true;
  return HEDDLE_REAL(fdopen)(fd, mode);
}

HEDDLE_EXPORT int fcntl(int fd, int command, ...) {
  va_list list;
  va_start(list, command);
  void* argument = va_arg(list, void*);
  va_end(list);
  if (!g_active) return HEDDLE_REAL(fcntl)(fd, command, argument);
  return control(fd, command, argument, HEDDLE_CALLER);
}

HEDDLE_EXPORT int fcntl64(int fd, int command, ...) __attribute__((alias("fcntl")));

HEDDLE_EXPORT int ioctl(int fd, unsigned long request, ...) noexcept {
  va_list list;
  va_start(list, request);
  void* argument = va_arg(list, void*);
  va_end(list);
  if (g_active) {
    // Some of them look at what the channel holds.
    reach_if_known(Op::fd_poll, fd, HEDDLE_CALLER);
    snapshot_open();
  }
  return HEDDLE_REAL(ioctl)(fd, request, argument);
}
