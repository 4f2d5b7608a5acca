// Sockets between threads of the test: pairs, AF_UNIX with names, and TCP on the loopback
// (loopback.h). Other sockets lead out of the process: calls on them are libc's own. See
// sync/descriptors.h.
#include <fcntl.h>
#include <sys/syscall.h>

#include "runtime/ending/ending.h"
#include "runtime/intercept/fail.h"
#include "runtime/intercept/loopback.h"
#include "runtime/intercept/open_files.h"
#include "runtime/intercept/transfer.h"
#include "runtime/isolate/leftovers.h"
#include "runtime/isolate/snapshot.h"
#include "runtime/real.h"

namespace heddle::runtime {

using wire::Op;

namespace {

// A wait for room in the queue of a listener: only a try can tell.
struct ConnectWait : DescriptorWait {
  uint64_t seen;
};

bool has_changed(DescriptorWait* wait) {
  return wait->channel->changes != static_cast<ConnectWait*>(wait)->seen;
}

int accept_one(int fd, sockaddr* address, socklen_t* size, int flags, uint64_t pc) {
  heddle_descriptors_noted = true;
  if (address != nullptr && size != nullptr) {
    snapshot_prepare_write(address, *size);
    snapshot_prepare_write(size, sizeof *size);
  }
  touch_number(fd, pc);
  Channel* channel = channel_of(fd);
  bool never_waits = channel != nullptr && (is_non_blocking(fd) || !is_listening(fd));
  if (channel == nullptr) touch_new_descriptor(pc);
  uint64_t table = channel != nullptr ? touch_beside_operation(&descriptor_table, pc) : 0;
  TcpSocket* socket = tcp_socket(fd);
  auto accept_now = [&] {
    if (socket == nullptr) return long{HEDDLE_REAL(accept4)(fd, address, size, flags)};
    return long{HEDDLE_REAL(accept4)(fd, nullptr, nullptr, flags)};
  };
  auto result = static_cast<int>(input(Op::fd_accept, fd, never_waits, pc, accept_now, table));
  if (result >= 0) number_given(result);
  if (channel == nullptr || result < 0) return result;
  if (socket == nullptr) {
    assign_channel(result, channel);
  } else {
    loopback_accepted(socket, result, address, size);
  }
  return result;
}

// The other side is another process: it decides itself when it answers.
bool leads_out(int fd) {
  ucred peer{};
  socklen_t size = sizeof peer;
  long result = raw_call(SYS_getsockopt, fd, SOL_SOCKET, SO_PEERCRED, raw_argument(&peer),
                         raw_argument(&size), 0);
  return result == 0 && peer.pid > 0 && peer.pid != static_cast<int>(raw_call(SYS_getpid, 0, 0, 0));
}

int connect_one(int fd, Channel* channel, const sockaddr* address, socklen_t size, uint64_t pc) {
  reach_descriptor(Op::fd_connect, channel, fd, pc);
  for (;;) {
    long flags = raw_call(SYS_fcntl, fd, F_GETFL, 0);
    bool blocking = flags >= 0 && (flags & O_NONBLOCK) == 0;
    if (blocking) raw_call(SYS_fcntl, fd, F_SETFL, flags | O_NONBLOCK);
    long result = raw_call(SYS_connect, fd, raw_argument(address), size);
    if (blocking) raw_call(SYS_fcntl, fd, F_SETFL, flags);
    if (result == -EAGAIN && blocking) {
      ConnectWait wait{
          {has_changed, nullptr, socket_deadline(fd, channel, SO_SNDTIMEO), fd, channel, false},
          channel->changes};
      if (wait_for_descriptors(Op::fd_connect, &wait, pc)) continue;
    }
    channel_given(channel);
    if (result == 0 && leads_out(fd)) forget_channel(fd);
    return static_cast<int>(answer(result));
  }
}

}  // namespace

}  // namespace heddle::runtime

using namespace heddle;
using namespace heddle::runtime;

HEDDLE_EXPORT int socketpair(int family, int type, int protocol, int* ends) noexcept {
  if (!g_active) return HEDDLE_REAL(socketpair)(family, type, protocol, ends);
  touch_new_descriptor(HEDDLE_CALLER);
  snapshot_prepare_write(ends, 2 * sizeof *ends);
  int result = HEDDLE_REAL(socketpair)(family, type, protocol, ends);
  if (result != 0) return result;
  heddle_descriptors_noted = true;
  Channel* channel = new_channel(wire::Descriptor::socket);
  assign_channel(ends[0], channel);
  assign_channel(ends[1], channel);
  return result;
}

HEDDLE_EXPORT int socket(int family, int type, int protocol) noexcept {
  if (!g_active) return HEDDLE_REAL(socket)(family, type, protocol);
  if (is_loopback_kind(family, type, protocol)) return loopback_socket(family, type, HEDDLE_CALLER);
  touch_new_descriptor(HEDDLE_CALLER);
  int fd = HEDDLE_REAL(socket)(family, type, protocol);
  if (fd < 0) return fd;
  number_given(fd);
  heddle_descriptors_noted = true;
  if (family == AF_UNIX) assign_channel(fd, unix_sockets());
  return fd;
}

HEDDLE_EXPORT int accept(int fd, sockaddr* address, socklen_t* size) {
  if (!g_active) return HEDDLE_REAL(accept)(fd, address, size);
  return accept_one(fd, address, size, 0, HEDDLE_CALLER);
}

HEDDLE_EXPORT int accept4(int fd, sockaddr* address, socklen_t* size, int flags) {
  if (!g_active) return HEDDLE_REAL(accept4)(fd, address, size, flags);
  return accept_one(fd, address, size, flags, HEDDLE_CALLER);
}

HEDDLE_EXPORT int connect(int fd, const sockaddr* address, socklen_t size) {
  if (g_active) touch_number(fd, HEDDLE_CALLER);
  Channel* channel = g_active ? channel_of(fd) : nullptr;
  if (channel == nullptr || channel->kind != wire::Descriptor::socket)
    return HEDDLE_REAL(connect)(fd, address, size);
  if (tcp_socket(fd) != nullptr) return loopback_connect(fd, address, size, HEDDLE_CALLER);
  return connect_one(fd, channel, address, size, HEDDLE_CALLER);
}

HEDDLE_EXPORT int bind(int fd, const sockaddr* address, socklen_t size) noexcept {
  if (g_active) touch_number(fd, HEDDLE_CALLER);
  Channel* channel = g_active ? channel_of(fd) : nullptr;
  if (channel == nullptr) return HEDDLE_REAL(bind)(fd, address, size);
  if (tcp_socket(fd) != nullptr) return loopback_bind(fd, address, size, HEDDLE_CALLER);
  reach_descriptor(wire::Op::fd_change, channel, fd, HEDDLE_CALLER);
  int result = HEDDLE_REAL(bind)(fd, address, size);
  channel_given(channel);
  return result;
}

HEDDLE_EXPORT int listen(int fd, int backlog) noexcept {
  if (g_active) touch_number(fd, HEDDLE_CALLER);
  Channel* channel = g_active ? channel_of(fd) : nullptr;
  if (channel == nullptr) return HEDDLE_REAL(listen)(fd, backlog);
  if (tcp_socket(fd) != nullptr) return loopback_listen(fd, backlog, HEDDLE_CALLER);
  reach_descriptor(wire::Op::fd_change, channel, fd, HEDDLE_CALLER);
  int result = HEDDLE_REAL(listen)(fd, backlog);
  channel_given(channel);
  return result;
}

HEDDLE_EXPORT int shutdown(int fd, int how) noexcept {
  if (g_active) touch_number(fd, HEDDLE_CALLER);
  Channel* channel = g_active ? channel_of(fd) : nullptr;
  if (channel == nullptr) return HEDDLE_REAL(shutdown)(fd, how);
  if (tcp_socket(fd) != nullptr) return loopback_shutdown(fd, how, HEDDLE_CALLER);
  reach_descriptor(wire::Op::fd_change, channel, fd, HEDDLE_CALLER);
  int result = HEDDLE_REAL(shutdown)(fd, how);
  channel_given(channel);
  return result;
}
