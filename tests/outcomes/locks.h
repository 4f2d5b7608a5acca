// shared_mutex, timed and recursive mutexes, lock, try_lock, scoped_lock, call_once, statics.
#pragma once

#include <chrono>
#include <mutex>
#include <shared_mutex>
#include <stdexcept>

#include "prelude.h"

namespace outcomes {

using namespace std::chrono_literals;

PROGRAM(reader_and_writer, 2) {
  std::shared_mutex mutex;
  int x = 0;
  together(
      [&] {
        std::unique_lock lock(mutex);
        x = 1;
        x = 2;
      },
      [&] {
        std::shared_lock lock(mutex);
        r[0] = x;
        r[1] = x;
      });
}

PROGRAM(readers_together, 2) {
  std::shared_mutex mutex;
  std::atomic<int> inside{0};
  auto read = [&](int& seen) {
    std::shared_lock lock(mutex);
    ++inside;
    seen = inside;
    --inside;
  };
  together([&] { read(r[0]); }, [&] { read(r[1]); });
}

PROGRAM(writer_tries, 2) {
  std::shared_mutex mutex;
  int x = 0;
  together(
      [&] {
        std::shared_lock lock(mutex);
        r[0] = x;
      },
      [&] {
        std::unique_lock lock(mutex, std::try_to_lock);
        r[1] = lock.owns_lock();
        if (lock) x = 1;
      });
}

PROGRAM(reader_tries, 2) {
  std::shared_mutex mutex;
  int x = 0;
  together(
      [&] {
        std::unique_lock lock(mutex);
        x = 1;
      },
      [&] {
        std::shared_lock lock(mutex, std::try_to_lock);
        r[0] = lock.owns_lock();
        if (lock) r[1] = x;
      });
}

PROGRAM(shared_time_limits, 3) {
  std::shared_timed_mutex mutex;
  int x = 0;
  together(
      [&] {
        r[0] = mutex.try_lock_for(1ms);
        if (r[0] == 0) return;
        x = 1;
        mutex.unlock();
      },
      [&] {
        r[1] = mutex.try_lock_shared_for(1ms);
        if (r[1] == 0) return;
        r[2] = x;
        mutex.unlock_shared();
      });
}

PROGRAM(mutex_time_limit, 2) {
  std::timed_mutex mutex;
  int x = 0;
  together(
      [&] {
        std::lock_guard lock(mutex);
        x = 1;
      },
      [&] {
        std::unique_lock lock(mutex, 1ms);
        r[0] = lock.owns_lock();
        if (lock) r[1] = x;
      });
}

PROGRAM(recursive_time_limit, 3) {
  std::recursive_timed_mutex mutex;
  int x = 0;
  together(
      [&] {
        std::lock_guard lock(mutex);
        r[0] = mutex.try_lock_for(1ms);
        x = 1;
        if (r[0] != 0) mutex.unlock();
        x = 2;
      },
      [&] {
        r[1] = mutex.try_lock_until(std::chrono::steady_clock::now() + 1ms);
        if (r[1] == 0) return;
        r[2] = x;
        mutex.unlock();
      });
}

PROGRAM(scoped_locks_of_two, 2) {
  std::mutex a, b;
  int x = 0;
  together(
      [&] {
        std::scoped_lock both(a, b);
        r[0] = x++;
      },
      [&] {
        std::scoped_lock both(b, a);
        r[1] = x++;
      });
}

PROGRAM(try_lock_of_two, 1) {
  std::mutex a, b;
  together(
      [&] {
        { std::lock_guard lock(a); }
        std::lock_guard lock(b);
      },
      [&] {
        r[0] = std::try_lock(a, b);
        if (r[0] != -1) return;
        a.unlock();
        b.unlock();
      });
}

PROGRAM(once_that_throws, 3) {
  std::once_flag flag;
  int calls = 0;
  auto call = [&](int& threw) {
    threw = 0;
    try {
      std::call_once(flag, [&] {
        if (++calls == 1) throw std::runtime_error("not yet");
      });
    } catch (const std::runtime_error&) {
      threw = 1;
    }
  };
  together([&] { call(r[0]); }, [&] { call(r[1]); });
  r[2] = calls;
}

PROGRAM(once_is_complete, 2) {
  std::once_flag flag;
  int x = 0;
  auto call = [&](int mine, int& seen) {
    std::call_once(flag, [&] { x = mine; });
    seen = x;
  };
  together([&] { call(1, r[0]); }, [&] { call(2, r[1]); });
}

struct NotAtFirst {
  NotAtFirst(int& calls, int by) : made_by(by) {
    if (++calls == 1) throw std::runtime_error("not yet");
  }
  int made_by;
};

void use_static(int& calls, int me, int& result) {
  try {
    static NotAtFirst object(calls, me);
    result = object.made_by;
  } catch (const std::runtime_error&) {
    result = 0;
  }
}

// Once in a process: the static stays.
PROGRAM(static_that_throws, 2) {
  int calls = 0;
  together([&] { use_static(calls, 1, r[0]); }, [&] { use_static(calls, 2, r[1]); });
}

}  // namespace outcomes
