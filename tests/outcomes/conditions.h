// condition_variable, condition_variable_any, with and without stop tokens.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <shared_mutex>
#include <stop_token>

#include "prelude.h"

namespace outcomes {

using namespace std::chrono_literals;

PROGRAM(wait_once, 1) {
  std::mutex mutex;
  std::condition_variable condition;
  int x = 0;
  together(
      [&] {
        {
          std::lock_guard lock(mutex);
          x = 1;
        }
        condition.notify_one();
      },
      [&] {
        std::unique_lock lock(mutex);
        if (x == 0) condition.wait(lock);
        r[0] = x;
      });
}

PROGRAM(wait_any, 1) {
  std::shared_mutex mutex;
  std::condition_variable_any condition;
  int x = 0;
  together(
      [&] {
        {
          std::lock_guard lock(mutex);
          x = 1;
        }
        condition.notify_one();
      },
      [&] {
        std::shared_lock lock(mutex);
        condition.wait(lock, [&] { return x == 1; });
        r[0] = x;
      });
}

PROGRAM(wait_any_time_limit, 2) {
  std::mutex mutex;
  std::condition_variable_any condition;
  int x = 0;
  together(
      [&] {
        {
          std::lock_guard lock(mutex);
          x = 1;
        }
        condition.notify_one();
      },
      [&] {
        std::unique_lock lock(mutex);
        r[0] = condition.wait_for(lock, 1ms, [&] { return x == 1; });
        r[1] = x;
      });
}

PROGRAM(wait_any_lost, 0) {
  std::mutex mutex;
  std::condition_variable_any condition;
  together([&] { condition.notify_all(); },
           [&] {
             std::unique_lock lock(mutex);
             condition.wait(lock);
           });
}

PROGRAM(wait_until_stopped, 1) {
  std::mutex mutex;
  std::condition_variable_any condition;
  std::stop_source source;
  together([&] { source.request_stop(); },
           [&] {
             std::unique_lock lock(mutex);
             r[0] = condition.wait(lock, source.get_token(), [] { return false; });
           });
}

PROGRAM(wait_until_stopped_or_ready, 1) {
  std::mutex mutex;
  std::condition_variable_any condition;
  std::stop_source source;
  int x = 0;
  together(
      [&] {
        source.request_stop();
        {
          std::lock_guard lock(mutex);
          x = 1;
        }
        condition.notify_one();
      },
      [&] {
        std::unique_lock lock(mutex);
        r[0] = condition.wait(lock, source.get_token(), [&] { return x == 1; });
      });
}

}  // namespace outcomes
