// See loopback.h. Where Linux and POSIX leave several ways, what is done is what Linux does on its
// loopback: a connect that does not wait says EINPROGRESS, and the first write after the other side
// was closed succeeds.
#include "runtime/intercept/loopback.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>

#include "runtime/ending/ending.h"
#include "runtime/intercept/fail.h"
#include "runtime/intercept/open_files.h"
#include "runtime/intercept/transfer.h"
#include "runtime/isolate/leftovers.h"
#include "runtime/isolate/snapshot.h"
#include "runtime/real.h"

namespace heddle::runtime {

using wire::Op;

namespace {

// The address as the socket's family has it. False: errno says what is wrong with it.
bool read_address(const TcpSocket* socket, const sockaddr* address, socklen_t size, Endpoint* to) {
  *to = {};
  if (address == nullptr) return errno = EFAULT, false;
  if (size < sizeof address->sa_family) return errno = EINVAL, false;
  if (address->sa_family != socket->family) return errno = EAFNOSUPPORT, false;
  if (socket->family == AF_INET6) {
    if (size < offsetof(sockaddr_in6, sin6_scope_id)) return errno = EINVAL, false;
    const auto* six = reinterpret_cast<const sockaddr_in6*>(address);
    *to = {six->sin6_addr, ntohs(six->sin6_port)};
    return true;
  }
  if (size < sizeof(sockaddr_in)) return errno = EINVAL, false;
  const auto* four = reinterpret_cast<const sockaddr_in*>(address);
  to->address.s6_addr[10] = to->address.s6_addr[11] = 255;
  to->address.s6_addr32[3] = four->sin_addr.s_addr;
  to->port = ntohs(four->sin_port);
  return true;
}

void write_address(int family, const Endpoint& from, sockaddr* address, socklen_t* size) {
  if (address == nullptr || size == nullptr) return;
  sockaddr_in6 six{};
  sockaddr_in four{};
  six.sin6_family = AF_INET6;
  six.sin6_port = four.sin_port = htons(from.port);
  six.sin6_addr = from.address;
  four.sin_family = AF_INET;
  four.sin_addr.s_addr = from.address.s6_addr32[3];
  const void* bytes = family == AF_INET6 ? static_cast<const void*>(&six) : &four;
  socklen_t all = family == AF_INET6 ? sizeof six : sizeof four;
  memcpy(address, bytes, *size < all ? *size : all);
  *size = all;
}

[[noreturn]] void leads_out(const char* call, const Endpoint& to, uint64_t pc) {
  char address[INET6_ADDRSTRLEN] = "";
  const unsigned char* bytes = to.address.s6_addr;
  if (IN6_IS_ADDR_V4MAPPED(&to.address)) {
    snprintf(address, sizeof address, "%d.%d.%d.%d", bytes[12], bytes[13], bytes[14], bytes[15]);
  } else {
    inet_ntop(AF_INET6, bytes, address, sizeof address);
  }
  char what[128];
  snprintf(what, sizeof what, "%s %s, port %d, which is not of the loopback", call, address,
           to.port);
  end_unsupported(what, pc,
                  "let a thread of the test be the other side, on 127.0.0.1 or ::1, or replace it");
}

bool reuses(int fd) {
  int value = 0;
  socklen_t size = sizeof value;
  raw_call(SYS_getsockopt, fd, SOL_SOCKET, SO_REUSEADDR, raw_argument(&value), raw_argument(&size),
           0);
  return value != 0;
}

// The kernel's socket gets a name of its own, that nobody else can have.
int name_socket(int fd, TcpSocket* socket) {
  sockaddr_un none{};
  none.sun_family = AF_UNIX;
  long result = raw_call(SYS_bind, fd, raw_argument(&none), sizeof none.sun_family);
  socket->name_size = sizeof socket->name;
  if (result == 0) {
    result = raw_call(SYS_getsockname, fd, raw_argument(&socket->name),
                      raw_argument(&socket->name_size));
  }
  return static_cast<int>(result);
}

// The operation on a socket that may have been closed, or connected, while others went first.
TcpSocket* reach_socket(Op op, int fd, uint64_t pc, uint64_t second = 0) {
  for (;;) {
    touch_number(fd, pc);
    Channel* channel = channel_of(fd);
    TcpSocket* socket = tcp_socket(fd);
    reach_descriptor(op, channel, fd, pc, second);
    if (raw_call(SYS_fcntl, fd, F_GETFD, 0) < 0) return errno = EBADF, nullptr;
    if (tcp_socket(fd) == socket && channel_of(fd) == channel) return socket;
    if (tcp_socket(fd) == nullptr) return errno = ENOTSOCK, nullptr;
  }
}

// Room in the queue of a listener, or none any more: something has happened to the sockets.
struct QueueWait : DescriptorWait {
  uint64_t seen;
};
bool has_changed(DescriptorWait* wait) {
  return wait->channel->changes != static_cast<QueueWait*>(wait)->seen;
}

// What the kernel says of a connection to the listener, without waiting.
long try_connect(int fd, const TcpSocket* listener, long flags) {
  bool blocks = (flags & O_NONBLOCK) == 0;
  if (blocks) raw_call(SYS_fcntl, fd, F_SETFL, flags | O_NONBLOCK);
  long result = raw_call(SYS_connect, fd, raw_argument(&listener->name), listener->name_size);
  if (blocks) raw_call(SYS_fcntl, fd, F_SETFL, flags);
  return result;
}

void enqueue(TcpSocket* listener, TcpSocket* client) {
  client->next_waiting = nullptr;
  if (listener->last_waiting != nullptr) listener->last_waiting->next_waiting = client;
  if (listener->first_waiting == nullptr) listener->first_waiting = client;
  listener->last_waiting = client;
}

void connected(TcpSocket* socket, TcpSocket* listener, const Endpoint& to) {
  if (socket->local.port == 0) socket->local.port = free_port(socket);
  if (is_any(socket->local)) socket->local.address = to.address;
  socket->peer = to;
  socket->state = TcpState::connected;
  socket->channel = new_channel(wire::Descriptor::socket);
  move_channel(socket, socket->channel);
  enqueue(listener, socket);
  order_acquire(order_of_port(to.port));
  order_release(order_of_port(to.port));
  channel_changed(tcp_sockets());
}

// A connection that was told to be in progress.
int tell_progress(TcpSocket* socket) {
  socket->in_progress = false;
  int error = socket->error;
  socket->error = 0;
  return error == 0 ? 0 : fail(error);
}

}  // namespace

bool is_loopback_kind(int family, int type, int protocol) {
  return (family == AF_INET || family == AF_INET6) &&
         (type & ~(SOCK_NONBLOCK | SOCK_CLOEXEC)) == SOCK_STREAM &&
         (protocol == 0 || protocol == IPPROTO_TCP);
}

int loopback_socket(int family, int type, uint64_t pc) {
  touch_new_descriptor(pc);
  int fd = HEDDLE_REAL(socket)(AF_UNIX, type, 0);
  if (fd < 0) return fd;
  heddle_descriptors_noted = true;
  TcpSocket* socket = new_tcp_socket(family);
  socket->channel = tcp_sockets();
  assign_channel(fd, socket->channel, socket);
  return fd;
}

int loopback_bind(int fd, const sockaddr* address, socklen_t size, uint64_t pc) {
  TcpSocket* socket = reach_socket(Op::fd_change, fd, pc);
  Endpoint at;
  if (socket == nullptr || !read_address(socket, address, size, &at)) return -1;
  if (socket->state != TcpState::fresh) return fail(EINVAL);
  if (!is_any(at) && !is_loopback(at)) leads_out("bind to", at, pc);
  if (at.port == 0) {
    at.port = free_port(socket);
  } else if (const TcpSocket* other = find_conflict(socket, at, false)) {
    bool may_share = reuses(fd) && other->state != TcpState::listening;
    if (!may_share) return fail(EADDRINUSE);
  }
  socket->local = at;
  socket->state = TcpState::bound;
  channel_changed(tcp_sockets());
  return 0;
}

int loopback_listen(int fd, int backlog, uint64_t pc) {
  TcpSocket* socket = reach_socket(Op::fd_change, fd, pc);
  if (socket == nullptr) return -1;
  if (socket->state == TcpState::connected) return fail(EINVAL);
  if (socket->state == TcpState::fresh) socket->local.port = free_port(socket);
  if (find_conflict(socket, socket->local, true) != nullptr) return fail(EADDRINUSE);
  if (socket->name_size == 0 && name_socket(fd, socket) != 0)
    end_unsupported("listen, since the kernel has no name for the socket", pc);
  int result = HEDDLE_REAL(listen)(fd, backlog);
  if (result != 0) return result;
  socket->state = TcpState::listening;
  order_release(order_of_port(socket->local.port));
  channel_changed(tcp_sockets());
  return 0;
}

int loopback_connect(int fd, const sockaddr* address, socklen_t size, uint64_t pc) {
  cancellation_point(pc);
  TcpSocket* socket = reach_socket(Op::fd_connect, fd, pc);
  if (socket == nullptr) return -1;
  if (address != nullptr && size >= sizeof address->sa_family && address->sa_family == AF_UNSPEC)
    end_unsupported("connect to no address, which dissolves a connection", pc);
  Endpoint to;
  if (!read_address(socket, address, size, &to)) return -1;
  if (is_any(to)) to.address = socket->family == AF_INET6 ? in6addr_loopback : to.address;
  if (is_any(to)) to.address.s6_addr32[3] = htonl(INADDR_LOOPBACK);
  if (!is_loopback(to)) leads_out("connect to", to, pc);
  for (;;) {
    if (socket->in_progress) return tell_progress(socket);
    if (socket->state == TcpState::connected || socket->state == TcpState::listening)
      return fail(EISCONN);
    long flags = raw_call(SYS_fcntl, fd, F_GETFL, 0);
    bool blocks = (flags & O_NONBLOCK) == 0;
    TcpSocket* listener = find_listener(socket, to);
    long result = listener == nullptr ? -ECONNREFUSED : try_connect(fd, listener, flags);
    if (result == -EAGAIN && !blocks)
      end_unsupported("connect without waiting, while the listener's queue is full", pc,
                      "give listen a longer queue");
    if (result == -EAGAIN) {
      QueueWait wait{{has_changed, nullptr, socket_deadline(fd, tcp_sockets(), SO_SNDTIMEO), fd,
                      tcp_sockets(), false},
                     tcp_sockets()->changes};
      if (!wait_for_descriptors(Op::fd_connect, &wait, pc)) return fail(EINPROGRESS);
      if (tcp_socket(fd) != socket) return fail(EBADF);
      continue;
    }
    if (result == 0) connected(socket, listener, to);
    if (result != 0) channel_changed(tcp_sockets());
    if (!blocks) {
      socket->in_progress = true;
      socket->error = static_cast<int>(-result);
      return fail(EINPROGRESS);
    }
    return result == 0 ? 0 : fail(static_cast<int>(-result));
  }
}

void loopback_accepted(TcpSocket* listener, int fd, sockaddr* address, socklen_t* size) {
  TcpSocket* client = listener->first_waiting;
  HEDDLE_INVARIANT(client != nullptr);
  listener->first_waiting = client->next_waiting;
  if (listener->first_waiting == nullptr) listener->last_waiting = nullptr;
  TcpSocket* socket = new_tcp_socket(listener->family);
  socket->state = TcpState::connected;
  socket->local = client->peer;
  socket->peer = client->local;
  socket->channel = client->channel;
  assign_channel(fd, socket->channel, socket);
  concerns_too(socket->channel);
  order_acquire(order_of_port(listener->local.port));
  write_address(listener->family, socket->peer, address, size);
}

int loopback_shutdown(int fd, int how, uint64_t pc) {
  TcpSocket* socket = reach_socket(Op::fd_change, fd, pc);
  if (socket == nullptr) return -1;
  if (socket->state == TcpState::fresh || socket->state == TcpState::bound) return fail(ENOTCONN);
  int result = HEDDLE_REAL(shutdown)(fd, how);
  if (result == 0 && how != SHUT_RD) socket->is_shut = true;
  if (result == 0 && how != SHUT_WR && socket->state == TcpState::listening)
    socket->state = TcpState::bound;
  socket->channel != tcp_sockets() ? channel_given(socket->channel)
                                   : channel_changed(socket->channel);
  return result;
}

void loopback_closed(TcpSocket* socket) {
  if (is_open(socket)) return;
  // The kernel has cut off those that nobody will accept any more.
  for (TcpSocket* client = socket->first_waiting; client != nullptr;
       client = client->next_waiting) {
    concerns_too(client->channel);
    channel_changed(client->channel);
  }
  socket->first_waiting = socket->last_waiting = nullptr;
}

}  // namespace heddle::runtime

using namespace heddle;
using namespace heddle::runtime;

namespace {

bool is_of_tcp(int level) {
  return level == IPPROTO_TCP || level == IPPROTO_IP || level == IPPROTO_IPV6;
}

int give_value(int value, void* out, socklen_t* size) {
  if (out == nullptr || size == nullptr) return fail(EFAULT);
  socklen_t bytes = *size < sizeof value ? *size : socklen_t{sizeof value};
  memcpy(out, &value, bytes);
  *size = bytes;
  return 0;
}

}  // namespace

HEDDLE_EXPORT int getsockname(int fd, sockaddr* address, socklen_t* size) noexcept {
  if (!g_active) return HEDDLE_REAL(getsockname)(fd, address, size);
  snapshot_open();
  if (tcp_socket(fd) == nullptr) return HEDDLE_REAL(getsockname)(fd, address, size);
  const TcpSocket* socket = reach_socket(wire::Op::fd_poll, fd, HEDDLE_CALLER);
  if (socket == nullptr) return -1;
  if (address == nullptr || size == nullptr) return fail(EFAULT);
  write_address(socket->family, socket->local, address, size);
  return 0;
}

HEDDLE_EXPORT int getpeername(int fd, sockaddr* address, socklen_t* size) noexcept {
  if (!g_active) return HEDDLE_REAL(getpeername)(fd, address, size);
  snapshot_open();
  if (tcp_socket(fd) == nullptr) return HEDDLE_REAL(getpeername)(fd, address, size);
  const TcpSocket* socket = reach_socket(wire::Op::fd_poll, fd, HEDDLE_CALLER);
  if (socket == nullptr) return -1;
  if (address == nullptr || size == nullptr) return fail(EFAULT);
  if (socket->state != TcpState::connected) return fail(ENOTCONN);
  write_address(socket->family, socket->peer, address, size);
  return 0;
}

HEDDLE_EXPORT int setsockopt(int fd, int level, int option, const void* value,
                             socklen_t size) noexcept {
  TcpSocket* socket = g_active ? tcp_socket(fd) : nullptr;
  if (socket == nullptr || !is_of_tcp(level))
    return HEDDLE_REAL(setsockopt)(fd, level, option, value, size);
  int number = 0;
  if (value == nullptr) return fail(EFAULT);
  memcpy(&number, value, size < sizeof number ? size : sizeof number);
  if (level == IPPROTO_IPV6 && option == IPV6_V6ONLY) socket->only_ipv6 = number != 0;
  for (uint32_t i = 0; i < socket->setting_count; ++i) {
    TcpSocket::Setting& setting = socket->settings[i];
    if (setting.level == level && setting.option == option) return setting.value = number, 0;
  }
  if (socket->setting_count < TcpSocket::kSettings)
    socket->settings[socket->setting_count++] = {level, option, number};
  return 0;
}

HEDDLE_EXPORT int getsockopt(int fd, int level, int option, void* value, socklen_t* size) noexcept {
  if (!g_active) return HEDDLE_REAL(getsockopt)(fd, level, option, value, size);
  snapshot_open();
  TcpSocket* socket = tcp_socket(fd);
  if (socket == nullptr) return HEDDLE_REAL(getsockopt)(fd, level, option, value, size);
  if (level == IPPROTO_TCP && option == TCP_INFO)
    end_unsupported("getsockopt with TCP_INFO", HEDDLE_CALLER);
  if (is_of_tcp(level)) {
    for (uint32_t i = 0; i < socket->setting_count; ++i) {
      const TcpSocket::Setting& setting = socket->settings[i];
      if (setting.level == level && setting.option == option)
        return give_value(setting.value, value, size);
    }
    return give_value(0, value, size);
  }
  if (level == SOL_SOCKET && option == SO_DOMAIN) return give_value(socket->family, value, size);
  if (level == SOL_SOCKET && option == SO_PROTOCOL) return give_value(IPPROTO_TCP, value, size);
  if (level == SOL_SOCKET && option == SO_ERROR && socket->in_progress) {
    socket = reach_socket(wire::Op::fd_change, fd, HEDDLE_CALLER);
    if (socket == nullptr) return -1;
    int error = socket->error;
    socket->error = 0;
    return give_value(error, value, size);
  }
  return HEDDLE_REAL(getsockopt)(fd, level, option, value, size);
}
