// TCP between threads of the test: the loopback as a table of the execution's own, so that two
// workers, two runs and other programs of the machine cannot meet in it.
//
// A socket of TCP is one of AF_UNIX to the kernel, which carries the bytes, keeps the queue of a
// listener, and answers poll, select and epoll. What it does not know is kept here: addresses and
// ports, who listens where, and options of TCP. See intercept/loopback.cc.
//
// Sockets that are not connected share one channel, tcp_sockets(): which ports are in use, and who
// listens, concerns all of them. Both ends of a connection have a channel of their own.
#pragma once

#include <netinet/in.h>
#include <sys/un.h>

#include "runtime/sync/descriptors.h"

namespace heddle::runtime {

// Of either family: IPv4 as IPv6 maps it (::ffff:127.0.0.1).
struct Endpoint {
  in6_addr address;
  uint16_t port;  // 0: none
};

enum class TcpState : uint8_t { fresh, bound, listening, connected };

struct TcpSocket {
  int family;  // AF_INET, AF_INET6
  TcpState state;
  Channel* channel;
  Endpoint local;
  Endpoint peer;  // if it is connected
  bool only_ipv6;
  // A connect that did not wait was told EINPROGRESS; what came of it is told once more.
  bool in_progress;
  int error;          // what SO_ERROR will say
  bool in_epoll;      // an epoll may wait for it
  bool is_shut;       // it writes no more, by its own wish
  bool has_lost_one;  // a write after the other side was closed: the first one goes unnoticed
  // Of a listener: what the kernel knows it by, and the connections that wait for accept, in their
  // order.
  sockaddr_un name;
  socklen_t name_size;
  TcpSocket* first_waiting;
  TcpSocket* last_waiting;
  TcpSocket* next_waiting;

  struct Setting {
    int level;
    int option;
    int value;
  };
  static constexpr uint32_t kSettings = 8;  // more are forgotten
  Setting settings[kSettings];
  uint32_t setting_count;
};

// What a descriptor leads to; null: no socket of TCP that is under control.
TcpSocket* tcp_socket(int fd);
TcpSocket* new_tcp_socket(int family);

// Whether the address is one of this machine's loopback, or stands for all of its addresses.
bool is_any(const Endpoint& endpoint);
bool is_loopback(const Endpoint& endpoint);

// A socket, other than this one, with the same port and an address that cannot be told from this
// one's. Null: none. `listening`: only one that listens.
TcpSocket* find_conflict(const TcpSocket* socket, const Endpoint& endpoint, bool listening);
// Who listens where a connection goes; null: nobody.
TcpSocket* find_listener(const TcpSocket* from, const Endpoint& to);
// A port that nobody uses: the same in every schedule, unless others have taken it.
uint16_t free_port(const TcpSocket* socket);

// The object that carries what happens before a connection through this port.
uint64_t order_of_port(uint16_t port);

}  // namespace heddle::runtime
