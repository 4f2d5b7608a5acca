// Who does what, when, and whether it is over.
#include <atomic>

#include "cases.h"
#include "event_bus.h"
#include "thread_pool.h"
#include "timer.h"

using namespace heddle::script;

namespace {

// When the pool is idle, what has been submitted is done.
template <bool kBug>
struct Idle {
  std::atomic<int> done{0};

  void use(ThreadPool<kBug>& pool, int tasks) {
    for (int i = 1; i <= tasks; ++i) {
      pool.submit([this] { ++done; });
      pool.wait_idle();
      HEDDLE_ASSERT(done >= i);
    }
  }

  static void plain() {
    Idle test;
    ThreadPool<kBug> pool(2);
    test.use(pool, 2);
  }

  // The worker has a task, and is about to count itself as busy, when the user begins to wait.
  static void script(heddle::Script& s) {
    Idle test;
    ThreadPool<kBug> pool(1);
    auto worker = s.next_thread();
    auto user = s.thread("user", [&] {
      test.use(pool, 1);
      pool.stop();
    });
    s.transfer(user).until(enters("wait_idle"));
    s.transfer(worker).until(writes(pool.busy()));
    scenarios::finish(s, user, worker);
  }
};

// What is armed for later can be cancelled now.
template <bool kBug>
struct Rearm {
  Timer<kBug> timer;
  std::atomic<int> fired{0};

  void use() {
    timer.arm(1);
    timer.cancel();
    timer.arm(9);
    HEDDLE_YIELD("armed again");
    HEDDLE_ASSERT(timer.cancel());
    for (int deadline : {2, 1}) {
      timer.arm(deadline);
      timer.cancel();
    }
  }
  void tick(int times) {
    for (int now = 1; now <= times; ++now) fired += timer.tick(now);
  }

  static void plain() {
    Rearm test;
    scenarios::together([&] { test.use(); }, [&] { test.tick(3); });
  }

  // The user is anywhere when a tick finds the timer due; then the user arms it anew.
  static void script(heddle::Script& s) {
    Rearm test;
    auto user = s.thread("user", [&] { test.use(); });
    auto ticker = s.thread("ticker", [&] { test.tick(3); });
    s.transfer(user).until(any);
    s.transfer(ticker).until(writes(test.timer.state()) || end);
    s.transfer(user).until("armed again");
    scenarios::finish(s, ticker, user);
  }
};

// Who has unsubscribed is not called.
template <bool kBug>
struct Subscriber {
  EventBus<kBug> bus;
  std::atomic<bool> is_open{true};
  std::atomic<int> calls{0};

  Subscriber() {
    bus.subscribe(1, [this] { HEDDLE_ASSERT(is_open); });
    bus.subscribe(2, [this] { ++calls; });
  }
  void close() {
    bus.unsubscribe(1);
    is_open = false;
  }
  void publish(int times) {
    for (int i = 0; i < times; ++i) bus.publish();
  }

  static void plain() {
    Subscriber test;
    scenarios::together([&] { test.close(); }, [&] { test.publish(2); }, [&] { test.publish(2); },
                        [&] { test.publish(1); });
  }

  // The publisher is anywhere when the subscriber closes, as far as it can.
  static void script(heddle::Script& s) {
    Subscriber test;
    auto publisher = s.thread("publisher", [&] { test.publish(2); });
    auto closer = s.thread("closer", [&] { test.close(); });
    s.transfer(publisher).until(any);
    s.transfer(closer).until(end || blocked || "spins");
    scenarios::finish(s, publisher, closer);
  }
};

}  // namespace

int main(int argc, char** argv) {
  return scenarios::run(argc, argv,
                        {scenarios::of<Idle>("thread-pool"), scenarios::of<Rearm>("timer"),
                         scenarios::of<Subscriber>("event-bus")});
}
