// Boost.Asio: an echo server over TCP, by epoll, and its client, in one process. Complete in about
// 2,500 executions with Debian 12's version.
// RUN: %cxx -std=c++17 -O1 -g %s -o %t
// RUN: %t
// RUN: %heddle run --json %t.json %t
// JSON: j["verdict"] == "passed" and j["executions"] > 1000 and j["threads"] == 2
#include <boost/asio.hpp>
#include <cassert>
#include <string>
#include <thread>

using boost::asio::buffer;
using boost::asio::ip::tcp;
using boost::system::error_code;

int main() {
  boost::asio::io_context server;
  auto loopback = boost::asio::ip::address_v4::loopback();
  tcp::acceptor acceptor(server, tcp::endpoint(loopback, 0));
  tcp::socket peer(server);
  std::string message(4, ' ');
  auto written = [&](error_code error, size_t) {
    assert(!error);
    peer.close();
  };
  auto read = [&](error_code error, size_t) {
    assert(!error);
    boost::asio::async_write(peer, buffer(message), written);
  };
  acceptor.async_accept(peer, [&](error_code error) {
    assert(!error);
    boost::asio::async_read(peer, buffer(message), read);
  });
  std::thread thread([&] { server.run(); });
  boost::asio::io_context client;
  tcp::socket socket(client);
  socket.connect(tcp::endpoint(loopback, acceptor.local_endpoint().port()));
  boost::asio::write(socket, buffer("ping", 4));
  std::string answer(4, ' ');
  boost::asio::read(socket, buffer(answer));
  assert(answer == "ping");
  thread.join();
}
