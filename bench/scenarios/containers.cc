// Containers that threads share.
#include <array>
#include <atomic>

#include "bounded_buffer.h"
#include "cases.h"
#include "linked_set.h"
#include "stealing_deque.h"
#include "striped_map.h"

using namespace heddle::script;

namespace {

// What has been put is there.
template <bool kBug>
struct Growth {
  StripedMap<kBug> map;

  void put_and_get(int key) {
    map.put(key, key);
    HEDDLE_ASSERT(map.get(key) == key);
  }
  void grow_and_shrink() {
    map.resize(4);
    HEDDLE_YIELD("has grown");
    map.resize(2);
  }

  static void plain() {
    Growth test;
    scenarios::together(
        [&] {
          test.put_and_get(3);
          test.put_and_get(4);
        },
        [&] { test.grow_and_shrink(); }, [&] { test.put_and_get(8); });
  }

  // The putter is anywhere when the map grows; it goes on before the map shrinks.
  static void script(heddle::Script& s) {
    Growth test;
    auto putter = s.thread("putter", [&] { test.put_and_get(3); });
    auto grower = s.thread("grower", [&] { test.grow_and_shrink(); });
    s.transfer(putter).until(any);
    s.transfer(grower).until(blocked || "has grown");
    scenarios::finish(s, putter, grower);
  }
};

// What has been removed does not come back when another thread adds something before it.
template <bool kBug>
struct Neighbours {
  LinkedSet<kBug> set;

  Neighbours() {
    set.add(1);
    set.add(5);
  }
  void add() {
    set.add(3);
    set.add(7);
  }
  void remove() {
    set.remove(5);
    HEDDLE_YIELD("removed");
    HEDDLE_ASSERT(!set.has(5));
    set.add(8);
  }

  static void plain() {
    Neighbours test;
    scenarios::together([&] { test.add(); }, [&] { test.remove(); });
  }

  // The adder is anywhere when the node behind its place is removed.
  static void script(heddle::Script& s) {
    Neighbours test;
    auto adder = s.thread("adder", [&] { test.add(); });
    auto remover = s.thread("remover", [&] { test.remove(); });
    s.transfer(adder).until(any);
    s.transfer(remover).until(blocked || "removed");
    scenarios::finish(s, adder, remover);
  }
};

// Who gets an item gets one that is there.
template <bool kBug>
struct Traffic {
  BoundedBuffer<kBug> buffer{2};

  static void plain() {
    Traffic test;
    auto put = [&] {
      for (int i = 0; i < 2; ++i) test.buffer.put(i);
    };
    auto get = [&] {
      for (int i = 0; i < 2; ++i) test.buffer.get();
    };
    scenarios::together(put, get, put, get);
  }

  // One waits for an item; when it comes, another takes it.
  static void script(heddle::Script& s) {
    Traffic test;
    auto waiter = s.thread("waiter", [&] { test.buffer.get(); });
    auto taker = s.thread("taker", [&] { test.buffer.get(); });
    auto putter = s.thread("putter", [&] { test.buffer.put(1); });
    auto late = s.thread("late", [&] { test.buffer.put(2); });
    s.transfer(waiter).until(blocked);
    s.transfer(putter).until(end);
    s.transfer(taker).until(end);
    s.transfer(waiter).until(blocked);
    scenarios::finish(s, late, waiter);
  }
};

// No item is taken twice.
template <bool kBug>
struct Thieves {
  StealingDeque<kBug> deque;
  std::array<std::atomic<int>, 5> taken{};

  Thieves() {
    deque.push(1);
    deque.push(2);
  }
  void take(int item) {
    if (item != deque.kNone) HEDDLE_ASSERT(taken[item].fetch_add(1) == 0);
  }
  void own() {
    take(deque.pop());
    HEDDLE_YIELD("popped");
    take(deque.pop());
    deque.push(3);
    deque.push(4);
    take(deque.pop());
  }
  void steal(int times) {
    for (int i = 0; i < times; ++i) take(deque.steal());
  }

  static void plain() {
    Thieves test;
    scenarios::together([&] { test.own(); }, [&] { test.steal(2); }, [&] { test.steal(2); });
  }

  // One thief is anywhere when the owner pops an item and another thief steals one.
  static void script(heddle::Script& s) {
    Thieves test;
    auto owner = s.thread("owner", [&] { test.own(); });
    auto thief = s.thread("thief", [&] { test.steal(1); });
    auto other = s.thread("other", [&] { test.steal(1); });
    s.transfer(thief).until(any);
    s.transfer(owner).until("popped");
    scenarios::finish(s, other, thief, owner);
  }
};

}  // namespace

int main(int argc, char** argv) {
  return scenarios::run(
      argc, argv,
      {scenarios::of<Growth>("striped-map"), scenarios::of<Neighbours>("linked-set"),
       scenarios::of<Traffic>("bounded-buffer"), scenarios::of<Thieves>("work-stealing")});
}
