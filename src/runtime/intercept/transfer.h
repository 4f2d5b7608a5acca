// Calls that move bytes through a channel (sync/descriptors.h), or wait for one descriptor.
#pragma once

#include <errno.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "base/raw_call.h"
#include "runtime/filter/fair.h"
#include "runtime/intercept/open_files.h"
#include "runtime/sync/descriptors.h"

namespace heddle::runtime {

// A wait for one descriptor to be readable.
struct InputWait : DescriptorWait {
  InputWait(int descriptor, Channel* leads_to, int64_t deadline);
};

// The time limit that the program has set for a socket (SO_RCVTIMEO, SO_SNDTIMEO), as a deadline.
int64_t socket_deadline(int fd, const Channel* channel, int option);

// A read of so many bytes on this descriptor returns at once, whatever the channel holds: it does
// not block, or is an error.
bool read_never_waits(int fd, const Channel* channel, uint64_t bytes);
bool is_non_blocking(int fd);
bool is_listening(int fd);

// Calls `call` when the descriptor is readable; if never_waits, it is an operation all the same.
template <typename Call>
long input(wire::Op op, int fd, bool never_waits, uint64_t pc, Call call, uint64_t second = 0) {
  cancellation_point(pc);
  for (;;) {
    Channel* channel = channel_of(fd);
    if (channel == nullptr) return call();
    if (never_waits) {
      reach_descriptor(op, channel, fd, pc, second);
      expire_timers();
    } else {
      InputWait wait(fd, channel, socket_deadline(fd, channel, SO_RCVTIMEO));
      wait.second = second;
      if (!wait_for_descriptors(op, &wait, pc)) {
        errno = EAGAIN;
        return -1;
      }
    }
    // Another thread may have closed it meanwhile, and the number may lead elsewhere.
    if (channel_of(fd) != channel) {
      touch_read(fd, pc);
      continue;
    }
    long result = call();
    if (never_waits && result < 0 && errno == EAGAIN) note_yield(Yield::own);
    // What AF_UNIX says of a socket that is not connected: see loopback.h.
    bool unconnected = result < 0 && errno == EINVAL && op == wire::Op::fd_read;
    if (unconnected && channel == tcp_sockets()) errno = ENOTCONN;
    if (result >= 0) order_acquire(object_of(channel));
    channel_changed(channel);
    return result;
  }
}

// Writes all, waiting in between if the descriptor blocks. `message` has the rest of a sendmsg
// (null: there is none), `flags` those of a send.
struct Output {
  int fd;
  const iovec* vector;
  uint64_t count;
  const msghdr* message;
  int flags;
  bool as_message;  // send and its kin, else write and its kin
};
long output(const Output& what, uint64_t pc);

// read, write and close, for those who come to them by another way.
ssize_t controlled_read(int fd, void* buffer, size_t size, uint64_t pc);
ssize_t controlled_write(int fd, const void* buffer, size_t size, uint64_t pc);
int controlled_close(int fd, uint64_t pc);

}  // namespace heddle::runtime
