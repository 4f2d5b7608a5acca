// Pipes, eventfds, socket pairs between threads; poll.
#pragma once

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>

#include "prelude.h"

namespace outcomes {

// Both ends, closed in the end.
class Ends {
 public:
  explicit Ends(int (*make)(int*)) { made_ = make(ends_) == 0; }
  ~Ends() {
    for (int end : ends_) close(end);
  }
  int operator[](int end) const { return made_ ? ends_[end] : -1; }

 private:
  int ends_[2];
  bool made_;
};

PROGRAM(pipe_of_two_writes, 2) {
  Ends ends(pipe);
  together(
      [&] {
        r[1] = static_cast<int>(write(ends[1], "a", 1));
        r[1] += static_cast<int>(write(ends[1], "b", 1));
      },
      [&] {
        char bytes[2];
        r[0] = static_cast<int>(read(ends[0], bytes, 2));
      });
}

PROGRAM(pipe_of_two_writers, 1) {
  Ends ends(pipe);
  auto put = [&](char byte) { return write(ends[1], &byte, 1); };
  together([&] { put(1); }, [&] { put(2); },
           [&] {
             char bytes[2] = {};
             for (char& byte : bytes) r[0] = static_cast<int>(read(ends[0], &byte, 1));
             r[0] = bytes[0] * 10 + bytes[1];
           });
}

PROGRAM(eventfd_adds_up, 1) {
  int event = eventfd(0, 0);
  auto add = [&](uint64_t by) { return write(event, &by, sizeof by); };
  together([&] { add(1); }, [&] { add(2); },
           [&] {
             uint64_t sum = 0;
             r[0] = static_cast<int>(read(event, &sum, sizeof sum));
             r[0] = static_cast<int>(sum);
           });
  close(event);
}

PROGRAM(poll_with_limit, 2) {
  Ends ends(pipe);
  together([&] { r[1] = static_cast<int>(write(ends[1], "a", 1)); },
           [&] {
             pollfd descriptor{ends[0], POLLIN, 0};
             r[0] = poll(&descriptor, 1, 1);
           });
}

int make_pair(int* ends) { return socketpair(AF_UNIX, SOCK_STREAM, 0, ends); }

PROGRAM(socket_pair_answers, 2) {
  Ends ends(make_pair);
  together(
      [&] {
        char byte = 0;
        r[0] = static_cast<int>(recv(ends[0], &byte, 1, 0));
        ++byte;
        send(ends[0], &byte, 1, 0);
        shutdown(ends[0], SHUT_WR);
      },
      [&] {
        char bytes[2] = {5, 0};
        send(ends[1], bytes, 1, 0);
        r[1] = static_cast<int>(recv(ends[1], bytes, 1, 0));
        r[1] = bytes[0] * 10 + static_cast<int>(recv(ends[1], bytes + 1, 1, 0));
      });
}

}  // namespace outcomes
