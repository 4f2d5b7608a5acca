// promise, future, shared_future, packaged_task, async; exceptions that cross threads.
#pragma once

#include <chrono>
#include <future>
#include <memory>
#include <stdexcept>

#include "prelude.h"

namespace outcomes {

using namespace std::chrono_literals;

PROGRAM(future_value, 2) {
  std::promise<int> promise;
  std::future<int> future = promise.get_future();
  int x = 0;
  together([&] { x = 1, promise.set_value(7); },
           [&] {
             r[0] = future.get();
             r[1] = x;
           });
}

PROGRAM(future_time_limit, 2) {
  std::promise<void> promise;
  std::future<void> future = promise.get_future();
  together([&] { promise.set_value(); },
           [&] {
             r[0] = future.wait_for(1ms) == std::future_status::ready;
             r[1] = future.wait_for(0s) == std::future_status::ready;
           });
}

PROGRAM(future_exception, 1) {
  std::promise<int> promise;
  std::future<int> future = promise.get_future();
  together([&] { promise.set_exception(std::make_exception_ptr(std::runtime_error("no"))); },
           [&] {
             try {
               r[0] = future.get();
             } catch (const std::runtime_error&) {
               r[0] = -1;
             }
           });
}

PROGRAM(promise_broken_or_kept, 1) {
  auto promise = std::make_unique<std::promise<int>>();
  std::future<int> future = promise->get_future();
  std::atomic<int> keep{0};
  together([&] { keep = 1; },
           [&] {
             if (keep != 0) promise->set_value(7);
             promise.reset();
           },
           [&] {
             try {
               r[0] = future.get();
             } catch (const std::future_error& error) {
               r[0] = error.code() == std::future_errc::broken_promise ? -1 : -2;
             }
           });
}

PROGRAM(promise_kept_twice, 3) {
  std::promise<int> promise;
  std::future<int> future = promise.get_future();
  auto keep = [&](int value, int& done) {
    try {
      promise.set_value(value);
      done = 1;
    } catch (const std::future_error&) {
      done = 0;
    }
  };
  together([&] { keep(1, r[0]); }, [&] { keep(2, r[1]); });
  r[2] = future.get();
}

PROGRAM(shared_future_of_two, 3) {
  std::promise<int> promise;
  std::shared_future<int> future = promise.get_future().share();
  std::atomic<int> x{0};
  auto read = [&, future](int& seen, int& order) {
    seen = future.get();
    order = x++;
  };
  int first, second;
  together([&] { read(r[0], first); }, [&] { read(r[1], second); }, [&] { promise.set_value(3); });
  r[2] = first < second;
}

PROGRAM(task_of_another_thread, 2) {
  std::packaged_task<int(int)> task([](int value) { return value + 1; });
  std::future<int> future = task.get_future();
  together([&] { task(4); },
           [&] {
             r[0] = future.wait_for(0s) == std::future_status::ready;
             r[1] = future.get();
           });
}

PROGRAM(value_at_thread_exit, 2) {
  std::promise<int> promise;
  std::future<int> future = promise.get_future();
  std::atomic<int> x{0};
  together([&] { promise.set_value_at_thread_exit(5), x = 1; },
           [&] {
             r[0] = future.get();
             r[1] = x;
           });
}

PROGRAM(async_beside, 3) {
  std::atomic<int> x{0};
  std::future<int> future = std::async(std::launch::async, [&] { return x.exchange(1); });
  r[0] = x.exchange(2);
  r[1] = future.wait_for(0s) == std::future_status::ready;
  r[2] = future.get();
}

PROGRAM(async_joins, 1) {
  std::atomic<int> x{0};
  {
    auto future = std::async(std::launch::async, [&] { x = 1; });
  }
  r[0] = x;
}

PROGRAM(async_deferred, 3) {
  std::atomic<int> x{0};
  std::future<int> future = std::async(std::launch::deferred, [&] { return x.load(); });
  together([&] { x = 1; },
           [&] {
             r[0] = future.wait_for(0s) == std::future_status::deferred;
             r[1] = x;
             r[2] = future.get();
           });
}

}  // namespace outcomes
