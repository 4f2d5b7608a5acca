// See loopback.h.
#include "runtime/sync/loopback.h"

#include <string.h>

#include "base/hash.h"
#include "runtime/detect/outside.h"
#include "runtime/ending/ending.h"

namespace heddle::runtime {

namespace {

constexpr uint32_t kSockets = 16384;

TcpSocket g_sockets[kSockets];
uint32_t g_count;
uint64_t g_epoch;  // of the execution that they are of
OutsideCell g_orders_of_ports[65536];

// Which families the address of a socket stands for.
struct Families {
  bool four;
  bool six;
};
Families families(const TcpSocket& socket, const Endpoint& at) {
  bool is_four = socket.family == AF_INET || IN6_IS_ADDR_V4MAPPED(&at.address);
  return {is_four || (is_any(at) && !socket.only_ipv6), !is_four};
}

// Whether some address means both of them.
bool overlap(const TcpSocket& a, const Endpoint& at, const TcpSocket& b, const Endpoint& other) {
  if (at.port != other.port) return false;
  if (!is_any(at) && !is_any(other))
    return memcmp(&at.address, &other.address, sizeof at.address) == 0;
  Families of_a = families(a, at);
  Families of_b = families(b, other);
  return (of_a.four && of_b.four) || (of_a.six && of_b.six);
}

}  // namespace

TcpSocket* new_tcp_socket(int family) {
  if (g_epoch != g_object_epoch) {
    g_epoch = g_object_epoch;
    g_count = 0;
  }
  if (g_count == kSockets) end_unsupported("more than 16,384 sockets in one execution", 0);
  TcpSocket* socket = &g_sockets[g_count++];
  *socket = {};
  socket->family = family;
  if (family == AF_INET)
    socket->local.address.s6_addr[10] = socket->local.address.s6_addr[11] = 255;
  return socket;
}

bool is_any(const Endpoint& endpoint) {
  const in6_addr& address = endpoint.address;
  if (IN6_IS_ADDR_UNSPECIFIED(&address)) return true;
  return IN6_IS_ADDR_V4MAPPED(&address) && address.s6_addr32[3] == 0;
}

bool is_loopback(const Endpoint& endpoint) {
  const in6_addr& address = endpoint.address;
  return IN6_IS_ADDR_LOOPBACK(&address) ||
         (IN6_IS_ADDR_V4MAPPED(&address) && address.s6_addr[12] == IN_LOOPBACKNET);
}

TcpSocket* find_conflict(const TcpSocket* socket, const Endpoint& endpoint, bool listening) {
  for (uint32_t i = 0; i < g_count; ++i) {
    TcpSocket& other = g_sockets[i];
    bool is_bound =
        other.state == TcpState::listening || (!listening && other.state == TcpState::bound);
    if (&other == socket || !is_bound || !is_open(&other)) continue;
    if (overlap(*socket, endpoint, other, other.local)) return &other;
  }
  return nullptr;
}

TcpSocket* find_listener(const TcpSocket* from, const Endpoint& to) {
  TcpSocket* for_all = nullptr;
  for (uint32_t i = 0; i < g_count; ++i) {
    TcpSocket& other = g_sockets[i];
    if (other.state != TcpState::listening || other.local.port != to.port) continue;
    if (!is_open(&other)) continue;
    if (memcmp(&other.local.address, &to.address, sizeof to.address) == 0) return &other;
    if (is_any(other.local) && overlap(other, other.local, *from, to)) for_all = &other;
  }
  return for_all;
}

uint16_t free_port(const TcpSocket* socket) {
  constexpr uint32_t kFirst = 32768;  // as Linux has them
  constexpr uint32_t kPorts = 28232;
  for (;;) {
    uint64_t number = mix(g_run.current->id, ++g_run.current->channels);
    Endpoint endpoint = socket->local;
    endpoint.port = static_cast<uint16_t>(kFirst + number % kPorts);
    bool is_taken = false;
    for (uint32_t i = 0; i < g_count; ++i) {
      const TcpSocket& other = g_sockets[i];
      if (&other != socket && other.local.port == endpoint.port && is_open(&other)) is_taken = true;
    }
    if (!is_taken) return endpoint.port;
  }
}

uint64_t order_of_port(uint16_t port) {
  return reinterpret_cast<uint64_t>(&g_orders_of_ports[port]);
}

}  // namespace heddle::runtime
