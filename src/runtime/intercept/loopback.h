// Calls on sockets of TCP: see sync/loopback.h. Each is for a descriptor of which tcp_socket() is
// not null, while an execution runs.
#pragma once

#include <sys/socket.h>

#include "runtime/sync/loopback.h"

namespace heddle::runtime {

// Whether sockets of this kind are under control.
bool is_loopback_kind(int family, int type, int protocol);
int loopback_socket(int family, int type, uint64_t pc);
int loopback_bind(int fd, const sockaddr* address, socklen_t size, uint64_t pc);
int loopback_listen(int fd, int backlog, uint64_t pc);
int loopback_connect(int fd, const sockaddr* address, socklen_t size, uint64_t pc);
int loopback_shutdown(int fd, int how, uint64_t pc);
// accept has got a connection, as `fd`, from this listener: it is told where that comes from.
void loopback_accepted(TcpSocket* listener, int fd, sockaddr* address, socklen_t* size);
// A descriptor of the socket was closed.
void loopback_closed(TcpSocket* socket);

}  // namespace heddle::runtime
