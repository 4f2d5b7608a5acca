// jthread, stop_source, stop_token, stop_callback; thread_local objects with destructors.
#pragma once

#include <stop_token>

#include "prelude.h"

namespace outcomes {

PROGRAM(stop_requested_twice, 3) {
  std::stop_source source;
  together([&] { r[0] = source.request_stop(); }, [&] { r[1] = source.request_stop(); });
  r[2] = source.get_token().stop_requested();
}

PROGRAM(stop_seen, 2) {
  std::stop_source source;
  std::atomic<int> x{0};
  together([&] { x = 1, source.request_stop(); },
           [&] {
             r[0] = source.get_token().stop_requested();
             r[1] = x;
           });
}

PROGRAM(who_calls_back, 1) {
  std::stop_source source;
  static thread_local int me;
  std::atomic<int> called_by{0};
  together([&] { me = 1, source.request_stop(); },
           [&] {
             me = 2;
             std::stop_callback callback(source.get_token(), [&] { called_by = me; });
           });
  r[0] = called_by;
}

PROGRAM(callback_is_complete, 1) {
  std::stop_source source;
  std::atomic<int> x{0};
  together([&] { source.request_stop(); },
           [&] {
             {
               std::stop_callback callback(source.get_token(), [&] { x = 1, x = 2; });
             }
             r[0] = x;
           });
}

PROGRAM(two_callbacks, 2) {
  std::stop_source source;
  together([&] { source.request_stop(); },
           [&] {
             int first = 0, second = 0;
             {
               std::stop_callback one(source.get_token(), [&] { first = 1; });
               std::stop_callback two(source.get_token(), [&] { second = 1; });
             }
             r[0] = first;
             r[1] = second;
           });
}

PROGRAM(jthread_stops, 2) {
  std::atomic<int> x{0};
  {
    std::jthread thread([&](std::stop_token token) {
      r[0] = token.stop_requested();
      x = 1;
    });
  }
  r[1] = x;
}

PROGRAM(jthread_is_replaced, 3) {
  std::atomic<int> x{0};
  std::jthread thread([&](std::stop_token token) { r[0] = token.stop_requested(), x = 1; });
  thread = std::jthread([&](std::stop_token token) {
    r[1] = token.stop_requested();
    r[2] = x;
  });
}

struct AtExit {
  ~AtExit() { ++*counter; }
  std::atomic<int>* counter = nullptr;
};

PROGRAM(thread_local_destructor, 2) {
  std::atomic<int> destroyed{0};
  std::thread thread([&] {
    static thread_local AtExit at_exit;
    at_exit.counter = &destroyed;
  });
  r[0] = destroyed;
  thread.join();
  r[1] = destroyed;
}

}  // namespace outcomes
