// Boost.Lockfree: containers that are right, in hands that are not.
#include <atomic>
#include <boost/lockfree/queue.hpp>
#include <boost/lockfree/spsc_queue.hpp>
#include <boost/lockfree/stack.hpp>

#include "cases.h"
#include "spin.h"

using namespace heddle::script;

namespace {

// Connections are borrowed from a queue. Whoever has seen one there takes for granted that it gets
// one.
template <bool kBug>
struct Pool {
  boost::lockfree::queue<int, boost::lockfree::capacity<2>> connections;
  boost::lockfree::queue<int, boost::lockfree::capacity<8>> results;

  Pool() { connections.push(1); }

  int borrow() {
    for (;;) {
      if (connections.empty()) {
        spin();
        continue;
      }
      int connection = 0;
      bool popped = connections.pop(connection);
      if (!kBug && !popped) continue;
      HEDDLE_ASSERT(popped);
      return connection;
    }
  }

  void query(int rows) {
    int connection = borrow();
    HEDDLE_YIELD("borrowed");
    connections.push(connection);
    for (int i = 0; i < rows; ++i) results.push(i);
  }

  static void plain() {
    Pool test;
    scenarios::together([&] { test.query(3); }, [&] { test.query(3); });
  }

  // One is anywhere when the other borrows the connection, and goes on before it is given back.
  static void script(heddle::Script& s) {
    Pool test;
    auto one = s.thread("one", [&] { test.query(3); });
    auto other = s.thread("other", [&] { test.query(3); });
    s.transfer(one).until(any);
    s.transfer(other).until(Condition("borrowed") || "spins");
    scenarios::finish(s, one, other);
  }
};

// A stack of a given height: there is room, says a counter that is looked at before the push.
template <bool kBug>
struct Height {
  static constexpr int kMost = 2;
  boost::lockfree::stack<int, boost::lockfree::capacity<8>> stack;
  std::atomic<int> height{0};

  bool push(int value) {
    if (kBug) {
      if (height == kMost) return false;
      HEDDLE_ASSERT(++height <= kMost);
    } else {
      int seen = height;
      do {
        if (seen == kMost) return false;
      } while (!height.compare_exchange_weak(seen, seen + 1));
    }
    return stack.push(value);
  }
  void pop() {
    int value;
    if (stack.pop(value)) --height;
  }
  void push_and_pop(int times) {
    for (int i = 0; i < times; ++i) {
      push(i);
      pop();
    }
  }

  static void plain() {
    Height test;
    test.push(0);
    scenarios::together([&] { test.push_and_pop(3); }, [&] { test.push_and_pop(3); });
  }

  // Either of the two is about to count its push when the other pushes, and has not yet popped.
  static void script(heddle::Script& s) {
    Height test;
    test.push(0);
    s.thread("one", [&] { test.push_and_pop(2); });
    s.thread("other", [&] { test.push_and_pop(2); });
    Thread first = s.transfer(any).until(writes(test.height));
    Thread second = s.transfer(any).except(first).until(enters("Height::pop"));
    scenarios::finish(s, first, second);
  }
};

// A queue for one producer and one consumer, whose consumer puts items back while a device is busy:
// that makes it a second producer. The misuse is a data race; what it breaks is that an item is
// lost.
template <bool kBug>
struct PutBack {
  boost::lockfree::spsc_queue<int, boost::lockfree::capacity<8>> queue;
  std::atomic<int> sum{0};

  std::atomic<bool> is_busy{false};

  void use_device(int times) {
    for (int i = 0; i < times; ++i) {
      is_busy = true;
      is_busy = false;
    }
  }
  void produce() {
    for (int i = 1; i <= 4; ++i) queue.push(i);
  }
  void consume(int times) {
    for (int i = 0; i < times; ++i) {
      int item = 0;
      if (!queue.pop(item)) continue;
      if (kBug && is_busy) {
        queue.push(item);
      } else {
        sum += item;
      }
    }
  }
  void check() {
    int item = 0;
    while (queue.pop(item)) sum += item;
    HEDDLE_ASSERT(sum == 10);
  }

  static void plain() {
    PutBack test;
    scenarios::together([&] { test.use_device(3); }, [&] { test.produce(); },
                        [&] { test.consume(6); });
    test.check();
  }

  // While the device is busy, the consumer takes items and puts them back; the producer is
  // anywhere.
  static void script(heddle::Script& s) {
    PutBack test;
    auto device = s.thread("device", [&] { test.use_device(1); });
    auto producer = s.thread("producer", [&] { test.produce(); });
    auto consumer = s.thread("consumer", [&] { test.consume(6); });
    s.transfer(device).until(writes(test.is_busy)).count(2);
    s.transfer(producer).until(any);
    scenarios::finish(s, consumer, producer, device);
    test.check();
  }
};

}  // namespace

int main(int argc, char** argv) {
  return scenarios::run(
      argc, argv,
      {scenarios::of<Pool>("boost-pool", "ignore"), scenarios::of<Height>("boost-height", "ignore"),
       scenarios::of<PutBack>("boost-put-back", "ignore")});
}
