// When memory is made, shared, and given back.
#include <array>
#include <atomic>

#include "cases.h"
#include "free_list.h"
#include "hazard.h"
#include "lazy.h"
#include "ref_count.h"

using namespace heddle::script;

namespace {

// No two threads have the same node.
template <bool kBug>
struct Nodes {
  using List = FreeList<kBug>;
  List list;
  std::array<std::atomic<bool>, List::kNodes> taken{};

  uint32_t take() {
    uint32_t node = list.take();
    if (node != List::kNone) HEDDLE_ASSERT(!taken[node].exchange(true));
    return node;
  }
  void give(uint32_t node) {
    if (node == List::kNone) return;
    taken[node] = false;
    list.give(node);
  }
  // Takes two, gives one back and then the other.
  void juggle() {
    uint32_t first = take();
    uint32_t second = take();
    give(first);
    HEDDLE_YIELD("has one");
    give(second);
    give(take());
  }

  static void plain() {
    Nodes test;
    scenarios::together([&] { test.juggle(); }, [&] { test.juggle(); },
                        [&] { test.give(test.take()); });
  }

  // One is anywhere when the other takes two nodes and gives the first back.
  static void script(heddle::Script& s) {
    Nodes test;
    auto one = s.thread("one", [&] { test.juggle(); });
    auto other = s.thread("other", [&] { test.juggle(); });
    s.transfer(one).until(any);
    s.transfer(other).until("has one");
    scenarios::finish(s, one, other);
  }
};

// Whoever has a reference finds the object alive.
template <bool kBug>
struct References {
  static constexpr int kThreads = 3;
  Counted<kBug> object{kThreads};

  void use() {
    object.share();
    HEDDLE_YIELD("has two");
    object.release();
    HEDDLE_ASSERT(object.is_alive());
    object.release();
  }

  static void plain() {
    References test;
    scenarios::together([&] { test.use(); }, [&] { test.use(); }, [&] { test.use(); });
  }

  // One is anywhere when another shares; all others go to their ends before that releases.
  static void script(heddle::Script& s) {
    References test;
    auto one = s.thread("one", [&] { test.use(); });
    auto other = s.thread("other", [&] { test.use(); });
    auto third = s.thread("third", [&] { test.use(); });
    s.transfer(one).until(any);
    s.transfer(other).until("has two");
    scenarios::finish(s, one, third, other);
  }
};

// No version is reclaimed while a reader has it.
template <bool kBug>
struct Readers {
  Versions<kBug> versions;

  void read(int reader, int times) {
    for (int i = 0; i < times; ++i) {
      int version = versions.protect(reader);
      HEDDLE_ASSERT(versions.is_alive(version));
      versions.release(reader);
    }
  }
  void write() {
    versions.replace();
    HEDDLE_YIELD("replaced");
    versions.replace();
  }

  static void plain() {
    Readers test;
    scenarios::together([&] { test.write(); }, [&] { test.read(0, 2); }, [&] { test.read(1, 2); });
  }

  // A reader is anywhere when the writer replaces the version.
  static void script(heddle::Script& s) {
    Readers test;
    auto writer = s.thread("writer", [&] { test.write(); });
    auto reader = s.thread("reader", [&] { test.read(0, 2); });
    s.transfer(reader).until(any);
    s.transfer(writer).until("replaced");
    scenarios::finish(s, reader, writer);
  }
};

// Whoever gets the settings gets them complete.
template <bool kBug>
struct Settle {
  std::array<Lazy<kBug>, 3> settings;

  void use(size_t first) {
    for (size_t i = 0; i < 3; ++i) {
      Settings& mine = settings[(first + i) % 3].get();
      HEDDLE_ASSERT(mine.width * mine.height == 12);
    }
  }

  static void plain() {
    Settle test;
    scenarios::together([&] { test.use(0); }, [&] { test.use(1); }, [&] { test.use(2); },
                        [&] { test.use(0); });
  }

  // The first to ask is anywhere when another asks.
  static void script(heddle::Script& s) {
    Settle test;
    auto one = s.thread("one", [&] { test.use(0); });
    auto other = s.thread("other", [&] { test.use(0); });
    s.transfer(one).until(any);
    s.transfer(other).until(blocked || end);
    scenarios::finish(s, one, other);
  }
};

}  // namespace

int main(int argc, char** argv) {
  return scenarios::run(
      argc, argv,
      {scenarios::of<Nodes>("free-list"), scenarios::of<References>("reference-count"),
       scenarios::of<Readers>("hazard-pointer"), scenarios::of<Settle>("lazy-initialiser")});
}
