// See transfer.h.
#include "runtime/intercept/transfer.h"

#include <fcntl.h>
#include <limits.h>
#include <linux/sockios.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/time.h>

#include "runtime/detect/races.h"
#include "runtime/intercept/fail.h"
#include "runtime/intercept/open_files.h"
#include "runtime/intercept/time.h"
#include "runtime/isolate/snapshot.h"
#include "runtime/real.h"
#include "runtime/sync/loopback.h"

namespace heddle::runtime {

using wire::Descriptor;
using wire::Op;

namespace {

int flags_of(int fd) { return static_cast<int>(raw_call(SYS_fcntl, fd, F_GETFL, 0)); }

int socket_option(int fd, int option, int if_none) {
  int value = if_none;
  socklen_t size = sizeof value;
  long result = raw_call(SYS_getsockopt, fd, SOL_SOCKET, option, raw_argument(&value),
                         raw_argument(&size), 0);
  return result == 0 ? value : if_none;
}

bool is_readable(DescriptorWait* wait) {
  expire_timers();
  return poll_now(wait->fd, POLLIN) != 0;
}

int64_t expiry(DescriptorWait* wait) { return wait->channel->expiry; }

// A wait for room to write.
struct OutputWait : DescriptorWait {
  uint64_t bytes;
  bool tried;  // and there was no room: not before something has happened to the channel
  uint64_t seen;
};

bool is_stream(int fd) { return socket_option(fd, SO_TYPE, SOCK_STREAM) == SOCK_STREAM; }

// poll(2) is more careful than the calls themselves, which go on where it says no: a pipe has room
// in its last page, a socket has room until its buffer is full. Messages wait for room in the queue
// of the receiver, which only a try can tell.
bool has_room(DescriptorWait* base) {
  auto* wait = static_cast<OutputWait*>(base);
  const Channel* channel = wait->channel;
  if (wait->tried) return channel->changes != wait->seen;
  if (poll_now(wait->fd, POLLOUT) != 0) return true;
  int held = 0;
  if (channel->kind == Descriptor::pipe) {
    uint64_t odd = wait->bytes % kFullPage;
    raw_call(SYS_ioctl, wait->fd, FIONREAD, raw_argument(&held));
    return odd != 0 && held > 0 && channel->last_end + odd <= kFullPage;
  }
  if (channel->kind == Descriptor::socket) {
    if (!is_stream(wait->fd)) return true;
    raw_call(SYS_ioctl, wait->fd, SIOCOUTQ, raw_argument(&held));
    return held < socket_option(wait->fd, SO_SNDBUF, INT_MAX);
  }
  return false;
}

// Keeps Channel::last_end, by the rules of Linux: what is left over when `asked` is cut into pages
// goes behind the last write if it fits; the rest goes into pages of its own.
void note_written(Channel* pipe, int fd, int held_before, uint64_t asked, uint64_t written) {
  uint64_t odd = asked % kFullPage;
  uint64_t rest = written;
  if (odd != 0 && held_before > 0 && pipe->last_end + odd <= kFullPage) {
    uint64_t joined = written < odd ? written : odd;
    pipe->last_end += static_cast<uint32_t>(joined);
    rest -= joined;
  }
  if (rest > 0) {
    uint64_t last = rest % kFullPage;
    pipe->last_end = last == 0 ? kFullPage : static_cast<uint32_t>(last);
  }
  if ((flags_of(fd) & O_DIRECT) != 0) pipe->last_end = kFullPage;  // each write is a packet
}

// The vector without its first `done` bytes, into `rest`; returns how many parts that are.
uint64_t skip(const Output& what, uint64_t done, iovec* rest) {
  uint64_t count = 0;
  for (uint64_t i = 0; i < what.count; ++i) {
    iovec part = what.vector[i];
    if (done >= part.iov_len && done != 0) {
      done -= part.iov_len;
      continue;
    }
    rest[count++] = {static_cast<char*>(part.iov_base) + done, part.iov_len - done};
    done = 0;
  }
  return count;
}

// One try, without waiting: what write(2) or sendmsg(2) say, in the kernel's way.
long attempt(const Output& what, const iovec* vector, uint64_t count, bool first, bool socket) {
  if (socket) {
    msghdr message{};
    if (what.message != nullptr) message = *what.message;
    message.msg_iov = const_cast<iovec*>(vector);
    message.msg_iovlen = count;
    if (!first) message.msg_control = nullptr, message.msg_controllen = 0;
    // As natively: the signal comes only if nothing could be sent.
    int flags = what.flags | MSG_DONTWAIT | (first ? 0 : MSG_NOSIGNAL);
    return raw_call(SYS_sendmsg, what.fd, raw_argument(&message), flags);
  }
  int flags = flags_of(what.fd);
  if ((flags & O_NONBLOCK) == 0) raw_call(SYS_fcntl, what.fd, F_SETFL, flags | O_NONBLOCK);
  long result = raw_call(SYS_writev, what.fd, raw_argument(vector), static_cast<long>(count));
  if ((flags & O_NONBLOCK) == 0) raw_call(SYS_fcntl, what.fd, F_SETFL, flags);
  return result;
}

// Libc's own call, for what is an error or does not wait anyway.
long plainly(const Output& what) {
  if (what.message != nullptr) return HEDDLE_REAL(sendmsg)(what.fd, what.message, what.flags);
  if (what.as_message) {
    return HEDDLE_REAL(send)(what.fd, what.vector->iov_base, what.vector->iov_len, what.flags);
  }
  if (what.count == 1)
    return HEDDLE_REAL(write)(what.fd, what.vector->iov_base, what.vector->iov_len);
  return HEDDLE_REAL(writev)(what.fd, what.vector, static_cast<int>(what.count));
}

}  // namespace

InputWait::InputWait(int descriptor, Channel* leads_to, int64_t deadline)
    : DescriptorWait{is_readable, expiry, deadline, descriptor, leads_to, false} {}

int64_t socket_deadline(int fd, const Channel* channel, int option) {
  if (channel->kind != Descriptor::socket) return kForever;
  timeval limit{};
  socklen_t size = sizeof limit;
  long result = raw_call(SYS_getsockopt, fd, SOL_SOCKET, option, raw_argument(&limit),
                         raw_argument(&size), 0);
  if (result != 0 || (limit.tv_sec == 0 && limit.tv_usec == 0)) return kForever;
  return moment_after(limit.tv_sec * kNanosecondsPerSecond + limit.tv_usec * 1000);
}

bool is_non_blocking(int fd) { return (flags_of(fd) & O_NONBLOCK) != 0; }

bool is_listening(int fd) { return socket_option(fd, SO_ACCEPTCONN, 0) != 0; }

bool read_never_waits(int fd, const Channel* channel, uint64_t bytes) {
  int flags = flags_of(fd);
  if (flags < 0 || (flags & O_NONBLOCK) != 0 || (flags & O_ACCMODE) == O_WRONLY) return true;
  switch (channel->kind) {
    case Descriptor::pipe:
      return bytes == 0;
    case Descriptor::eventfd:
    case Descriptor::timer:
      return bytes < sizeof(uint64_t);
    case Descriptor::socket:
      return (channel == unix_sockets() || channel == tcp_sockets()) && is_listening(fd);
    default:
      return true;
  }
}

namespace {

// Whether a write proceeds whatever the channel holds: it fails if there is no room, or has to.
bool never_waits(const Output& what, const Channel* channel, uint64_t bytes) {
  int flags = flags_of(what.fd);
  return (flags & O_NONBLOCK) != 0 || (flags & O_ACCMODE) == O_RDONLY ||
         (what.flags & MSG_DONTWAIT) != 0 || what.count > IOV_MAX ||
         (bytes == 0 && channel->kind != Descriptor::socket) ||
         (channel->kind == Descriptor::eventfd && bytes < sizeof(uint64_t)) ||
         channel->kind == Descriptor::epoll ||
         (what.as_message && channel->kind != Descriptor::socket);
}

// Of TCP the first write after the other side was closed succeeds: who wrote learns later that
// nobody has got it. The socket, if this may be that write; else null.
TcpSocket* may_lose_one(int fd) {
  TcpSocket* tcp = tcp_socket(fd);
  bool may_lose =
      tcp != nullptr && tcp->state == TcpState::connected && !tcp->is_shut && !tcp->has_lost_one;
  return may_lose ? tcp : nullptr;
}

// One that never waits. The pipe, if it is one, holds `held` bytes.
long output_at_once(const Output& what, Channel* channel, uint64_t bytes, int held) {
  long result = 0;
  if (TcpSocket* losing = may_lose_one(what.fd)) {
    result = attempt(what, what.vector, what.count, false, true);
    losing->has_lost_one = result == -EPIPE;
    if (result == -EPIPE) result = static_cast<long>(bytes);
    result = answer(result);
  } else {
    result = plainly(what);
  }
  if (result < 0 && errno == EAGAIN) note_yield(Yield::own);
  if (channel->kind == Descriptor::pipe && result > 0)
    note_written(channel, what.fd, held, bytes, static_cast<uint64_t>(result));
  if (result >= 0) channel_given(channel);
  return result;
}

}  // namespace

long output(const Output& what, uint64_t pc) {
  cancellation_point(pc);
  uint64_t bytes = 0;
  for (uint64_t i = 0; i < what.count; ++i) bytes += what.vector[i].iov_len;
  for (uint64_t i = 0; i < what.count; ++i) {
    const iovec& part = what.vector[i];
    note_access(reinterpret_cast<uint64_t>(part.iov_base), part.iov_len, 0, pc);
  }
  iovec rest[IOV_MAX];
  uint64_t done = 0;
  bool tried = false, leads_elsewhere = false;
  uint64_t seen = 0;
  for (;;) {
    Channel* channel = channel_of(what.fd);
    if (channel == nullptr) {
      if (done > 0) return static_cast<long>(done);
      if (leads_elsewhere) touch_write(what.fd, pc);
      if (channel_of(what.fd) != nullptr) continue;
      return plainly(what);
    }
    if (channel->kind == Descriptor::timer) {
      reach_descriptor(Op::fd_write, channel, what.fd, pc);
      errno = EINVAL;
      return -1;
    }
    bool at_once = never_waits(what, channel, bytes);
    if (at_once) {
      reach_descriptor(Op::fd_write, channel, what.fd, pc);
    } else {
      OutputWait wait{{has_room, nullptr, socket_deadline(what.fd, channel, SO_SNDTIMEO), what.fd,
                       channel, false},
                      bytes - done,
                      tried,
                      seen};
      if (!wait_for_descriptors(Op::fd_write, &wait, pc)) {
        errno = EAGAIN;
        return done > 0 ? static_cast<long>(done) : -1;
      }
    }
    if (channel_of(what.fd) != channel) {  // it was closed, and the number given out again
      touch_number(what.fd, pc);
      leads_elsewhere = true;
      continue;
    }
    int held = 0;
    bool pipe = channel->kind == Descriptor::pipe;
    if (pipe) raw_call(SYS_ioctl, what.fd, FIONREAD, raw_argument(&held));
    if (at_once) return output_at_once(what, channel, bytes, held);
    TcpSocket* losing = may_lose_one(what.fd);
    uint64_t count = skip(what, done, rest);
    bool first = done == 0 && losing == nullptr;
    long result = attempt(what, rest, count, first, channel->kind == Descriptor::socket);
    if (losing != nullptr && result == -EPIPE) {
      losing->has_lost_one = true;
      result = static_cast<long>(bytes - done);
    }
    tried = result == -EAGAIN;
    seen = channel->changes;
    if (tried) continue;
    if (result < 0) {
      if (done > 0) return static_cast<long>(done);
      return answer(result);
    }
    if (pipe) note_written(channel, what.fd, held, bytes - done, static_cast<uint64_t>(result));
    channel_given(channel);
    done += static_cast<uint64_t>(result);
    if (done >= bytes) return static_cast<long>(done);
  }
}

}  // namespace heddle::runtime
