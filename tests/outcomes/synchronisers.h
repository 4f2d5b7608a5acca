// latch, barrier, counting_semaphore, atomic::wait.
#pragma once

#include <barrier>
#include <chrono>
#include <latch>
#include <semaphore>

#include "prelude.h"

namespace outcomes {

using namespace std::chrono_literals;

PROGRAM(latch_wait, 2) {
  std::latch latch(2);
  std::atomic<int> x{0}, y{0};
  together([&] { x = 1, latch.count_down(); },  //
           [&] { y = 1, latch.count_down(); },  //
           [&] {
             r[0] = x;
             latch.wait();
             r[1] = x + y;
           });
}

PROGRAM(latch_try_wait, 2) {
  std::latch latch(1);
  std::atomic<int> x{0};
  together([&] { x = 1, latch.count_down(); },
           [&] {
             r[0] = latch.try_wait();
             r[1] = x;
           });
}

PROGRAM(latch_arrive_and_wait, 2) {
  std::latch latch(3);
  int x = 0, y = 0;
  together(
      [&] {
        x = 1;
        latch.arrive_and_wait();
        r[0] = y;
      },
      [&] {
        y = 1;
        latch.arrive_and_wait(2);
        r[1] = x;
      });
}

PROGRAM(latch_too_few, 1) {
  std::latch latch(3);
  together([&] { latch.count_down(); },
           [&] {
             latch.count_down();
             r[0] = latch.try_wait();
             latch.wait();
           });
}

PROGRAM(barrier_two_phases, 4) {
  std::barrier barrier(2);
  std::atomic<int> x{0}, y{0};
  together(
      [&] {
        x = 1;
        barrier.arrive_and_wait();
        r[0] = y;
        barrier.arrive_and_wait();
        x = 2;
      },
      [&] {
        y = 1;
        barrier.arrive_and_wait();
        r[1] = x;
        y = 2;
        barrier.arrive_and_wait();
        r[2] = x;
      });
  r[3] = y;
}

PROGRAM(barrier_completion, 4) {
  std::atomic<int> phases{0};
  int completed_by = 0;
  static thread_local int me;
  auto completion = [&]() noexcept {
    ++phases;
    completed_by = me;
  };
  std::barrier barrier(2, completion);
  together(
      [&] {
        me = 1;
        auto token = barrier.arrive();
        r[0] = phases;
        barrier.wait(std::move(token));
        r[1] = phases;
      },
      [&] {
        me = 2;
        barrier.arrive_and_wait();
        r[2] = phases;
      });
  r[3] = completed_by;
}

PROGRAM(barrier_drop, 2) {
  std::atomic<int> phases{0};
  auto completion = [&]() noexcept { ++phases; };
  std::barrier barrier(2, completion);
  together(
      [&] {
        barrier.arrive_and_drop();
        r[0] = phases;
      },
      [&] {
        barrier.arrive_and_wait();
        barrier.arrive_and_wait();
        r[1] = phases;
      });
}

PROGRAM(semaphore_as_mutex, 2) {
  std::counting_semaphore<4> semaphore(1);
  int x = 0;
  auto increase = [&](int& before) {
    semaphore.acquire();
    before = x;
    x = before + 1;
    semaphore.release();
  };
  together([&] { increase(r[0]); }, [&] { increase(r[1]); });
}

PROGRAM(semaphore_two_at_once, 1) {
  std::counting_semaphore<4> semaphore(0);
  std::atomic<int> x{0};
  together([&] { semaphore.acquire(), ++x; }, [&] { semaphore.acquire(), ++x; },
           [&] {
             semaphore.release(2);
             r[0] = x;
           });
}

PROGRAM(semaphore_attempts, 2) {
  std::binary_semaphore semaphore(1);
  auto attempt = [&](int& got) {
    got = semaphore.try_acquire();
    if (got != 0) semaphore.release();
  };
  together([&] { attempt(r[0]); }, [&] { attempt(r[1]); });
}

PROGRAM(semaphore_time_limit, 2) {
  std::counting_semaphore<4> semaphore(0);
  std::atomic<int> x{0};
  together([&] { x = 1, semaphore.release(); },
           [&] {
             r[0] = semaphore.try_acquire_for(1ms);
             r[1] = x;
           });
}

PROGRAM(semaphore_too_few, 1) {
  std::counting_semaphore<4> semaphore(0);
  together([&] { semaphore.acquire(); },
           [&] {
             semaphore.release();
             r[0] = semaphore.try_acquire();
           });
}

PROGRAM(wait_for_value, 1) {
  std::atomic<int> x{0};
  together([&] { x = 1, x.notify_one(); },
           [&] {
             x.wait(0);
             r[0] = x;
           });
}

PROGRAM(wait_for_value_of_8_bytes, 1) {
  std::atomic<long> x{0};
  together([&] { x = 1, x.notify_one(); },
           [&] {
             x.wait(0);
             r[0] = static_cast<int>(x);
           });
}

PROGRAM(wait_for_value_that_goes_again, 1) {
  std::atomic<int> x{0};
  together([&] { x = 1, x.notify_one(), x = 0; },
           [&] {
             x.wait(0);
             r[0] = x;
           });
}

PROGRAM(notify_one_of_two, 0) {
  std::atomic<int> x{0};
  together([&] { x.wait(0); }, [&] { x.wait(0); }, [&] { x = 1, x.notify_one(); });
}

PROGRAM(notify_all, 0) {
  std::atomic<int> x{0};
  together([&] { x.wait(0); }, [&] { x.wait(0); }, [&] { x = 1, x.notify_all(); });
}

PROGRAM(flag_wait, 1) {
  std::atomic_flag flag;
  together([&] { flag.test_and_set(), flag.notify_one(); },
           [&] {
             flag.wait(false);
             r[0] = flag.test();
           });
}

}  // namespace outcomes
