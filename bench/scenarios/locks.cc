// Locks, and what else makes threads wait for each other.
#include <atomic>

#include "cases.h"
#include "once.h"
#include "phase_barrier.h"
#include "read_write_lock.h"
#include "seqlock.h"

using namespace heddle::script;

namespace {

// Nobody reads while one writes.
template <bool kBug>
struct Upgrades {
  ReadWriteLock<kBug> lock;
  std::atomic<int> value{0};

  void read() {
    lock.lock_shared();
    int before = value;
    HEDDLE_YIELD("reading");
    HEDDLE_ASSERT(value == before);
    lock.unlock_shared();
  }
  void update() {
    lock.lock_shared();
    if (lock.try_upgrade()) {
      ++value;
      lock.downgrade();
    }
    lock.unlock_shared();
  }

  static void plain() {
    Upgrades test;
    scenarios::together(
        [&] {
          test.update();
          test.read();
        },
        [&] {
          test.read();
          test.read();
        },
        [&] { test.read(); });
  }

  // The updater is anywhere when a reader comes, and goes on before that has read.
  static void script(heddle::Script& s) {
    Upgrades test;
    auto updater = s.thread("updater", [&] { test.update(); });
    auto reader = s.thread("reader", [&] { test.read(); });
    s.transfer(updater).until(any);
    s.transfer(reader).until(Condition("reading") || "spins");
    scenarios::finish(s, updater, reader);
  }
};

// What is read was written together.
template <bool kBug>
struct Pairs {
  SeqLock<kBug> pair;

  void check() {
    auto [first, second] = pair.read();
    HEDDLE_ASSERT(first == second);
  }
  void write(int value) {
    pair.write(value, value);
    check();
    check();
  }

  static void plain() {
    Pairs test;
    scenarios::together([&] { test.write(1); }, [&] { test.write(2); }, [&] { test.check(); });
    test.check();
  }

  // One writer is anywhere when the other stops between its two stores.
  static void script(heddle::Script& s) {
    Pairs test;
    auto one = s.thread("one", [&] { test.write(1); });
    auto other = s.thread("other", [&] { test.write(2); });
    s.transfer(one).until(any);
    s.transfer(other).until(writes(test.pair.second()) || "spins");
    scenarios::finish(s, one, other);
    test.check();
  }
};

// After call() it has been done.
template <bool kBug>
struct Start {
  Once<kBug> once;
  std::atomic<int> attempts{0};
  std::atomic<int> requests{0};

  // It starts at the second attempt.
  void serve(int times) {
    for (int i = 0; i < times; ++i) {
      once.call([&] { return ++attempts == 2; });
      HEDDLE_ASSERT(attempts == 2);
      ++requests;
    }
  }

  static void plain() {
    Start test;
    scenarios::together([&] { test.serve(2); }, [&] { test.serve(2); }, [&] { test.serve(2); });
  }

  // While either of the two makes the first attempt, the other comes to wait for it; it fails.
  static void script(heddle::Script& s) {
    Start test;
    s.thread("one", [&] { test.serve(1); });
    s.thread("other", [&] { test.serve(1); });
    Thread first = s.transfer(any).until(writes(test.attempts));
    Thread second = s.transfer(any).except(first).until("spins");
    s.transfer(first).until("tried");
    scenarios::finish(s, second, first);
  }
};

// Who leaves the barrier finds the phase summed up.
template <bool kBug>
struct Phases {
  static constexpr int kPhases = 2;
  PhaseBarrier<kBug> barrier{3};
  std::atomic<int> summed_up{0};

  void work() {
    for (int phase = 1; phase <= kPhases; ++phase) {
      barrier.arrive_and_wait([&] { ++summed_up; });
      HEDDLE_ASSERT(summed_up >= phase);
    }
  }

  static void plain() {
    Phases test;
    scenarios::together([&] { test.work(); }, [&] { test.work(); }, [&] { test.work(); });
  }

  // The others are anywhere when the last arrives; it stops before it sums up, and they go on.
  static void script(heddle::Script& s) {
    Phases test;
    auto one = s.thread("one", [&] { test.work(); });
    auto other = s.thread("other", [&] { test.work(); });
    auto last = s.thread("last", [&] { test.work(); });
    s.transfer(one).until(any);
    s.transfer(other).until(any);
    s.transfer(last).until(writes(test.summed_up) || "spins");
    scenarios::finish(s, one, other, last);
  }
};

}  // namespace

int main(int argc, char** argv) {
  return scenarios::run(
      argc, argv,
      {scenarios::of<Upgrades>("read-write-lock"), scenarios::of<Pairs>("seqlock"),
       scenarios::of<Start>("once"), scenarios::of<Phases>("barrier")});
}
