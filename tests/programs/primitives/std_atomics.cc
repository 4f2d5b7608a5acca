// What the standard library makes of atomics: atomic objects of all sizes, atomic_ref, shared
// pointers and their counts, waiting and notifying, fences.
// COMPILERS: gcc clang
// RUN: %cxx -std=c++20 -O1 -g -mcx16 %s -o %t -latomic
// RUN: for mode in sizes counts pointer wait fence; do %t $mode; done
// Each pair of updates gives the sum in every schedule, with one word and with many.
// RUN: %heddle run --preemptions none --json %t.json %t sizes
// JSON: j["verdict"] == "passed" and j["executions"] > 10
// RUN: %heddle run --preemptions none --json %t.json %t counts
// JSON: j["verdict"] == "passed" and j["executions"] > 10
// The lock in an atomic shared pointer is a loop that spins: schedules by chance leave it. In
// libstdc++ 12 a load gives that lock back with relaxed order, so that its read of the pointer
// races with the next store; ThreadSanitizer says the same.
// RUN: %heddle run --json %t.json %t pointer
// EXIT: 1
// OUT: data-race
// OUT: atomic::store
// OUT: atomic::load
// RUN: %heddle run --races ignore --strategy random --executions 500 --json %t.json --show-output %t pointer > %t.lines
// JSON: j["failures"] == [] and j["executions"] == 500 and j["cut"] == 0
// RUN: sort -u %t.lines | grep '^pointer' | tr '\n' ';'
// OUT: ^pointer empty;pointer to 1;pointer to 2;$
// RUN: %heddle run --preemptions 2 --json %t.json %t wait
// JSON: j["verdict"] == "passed" and j["executions"] > 10
// RUN: %heddle run --preemptions none --json %t.json --show-output %t fence > %t.lines
// JSON: j["verdict"] == "passed"
// RUN: sort -u %t.lines | grep '^flag' | tr '\n' ';'
// OUT: ^flag 0;flag 1;$
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <cstdint>
#include <cstring>
#include <memory>
#include <thread>

void say(const char* line) { assert(write(1, line, std::strlen(line)) > 0); }

struct Wide {
  int64_t low, high;
  bool operator==(const Wide&) const = default;
};

template <typename T>
void add(std::atomic<T>& object) {
  object.fetch_add(1, std::memory_order_relaxed);
}

void sizes() {
  std::atomic<int8_t> byte = 0;
  std::atomic<int64_t> word = 0;
  std::atomic<double> real = 0;
  int plain = 0;
  auto work = [&] {
    add(byte);
    add(real);
    std::atomic_ref<int>(plain).fetch_add(1);
  };
  std::thread other(work);
  work();
  other.join();
  word.store(byte.load());
  assert(byte == 2 && word == 2 && real == 2 && plain == 2);
  std::atomic<Wide> wide = Wide{1, 2};
  Wide expected{1, 2};
  assert(wide.compare_exchange_strong(expected, Wide{3, 4}) && (wide.load() == Wide{3, 4}));
}

// The last owner destroys; what others did to the object happens before.
void counts() {
  struct Shared {
    explicit Shared(int& sum) : sum_(sum) {}
    ~Shared() { sum_ = first + second; }
    int first = 0, second = 0;

   private:
    int& sum_;
  };
  int sum = 0;
  auto mine = std::make_shared<Shared>(sum);
  std::weak_ptr<Shared> weak = mine;
  std::thread other([theirs = mine]() mutable {
    theirs->first = 1;
    theirs.reset();
  });
  mine->second = 2;
  mine.reset();
  if (auto locked = weak.lock()) assert(locked->second == 2);
  other.join();
  assert(sum == 3 && weak.expired());
}

void pointer() {
  std::atomic<std::shared_ptr<int>> object;
  std::thread other([&] {
    object.store(std::make_shared<int>(1));
    object.exchange(std::make_shared<int>(2));
  });
  std::shared_ptr<int> seen = object.load();
  other.join();
  say(!seen ? "pointer empty\n" : *seen == 1 ? "pointer to 1\n" : "pointer to 2\n");
  assert(*object.load() == 2);
}

void wait() {
  std::atomic<int> number = 0;
  std::atomic_flag flag = ATOMIC_FLAG_INIT;
  int value = 0;
  std::thread other([&] {
    value = 1;
    number.store(1);
    number.notify_all();
    flag.wait(false);
    assert(value == 2);
  });
  number.wait(0);
  assert(value == 1);
  value = 2;
  flag.test_and_set();
  flag.notify_one();
  other.join();
}

// Two relaxed accesses between two fences: what was written before is seen after, and is no race.
void fence() {
  std::atomic<int> flag = 0;
  int value = 0;
  std::thread other([&] {
    value = 1;
    std::atomic_thread_fence(std::memory_order_release);
    flag.store(1, std::memory_order_relaxed);
  });
  bool seen = flag.load(std::memory_order_relaxed) == 1;
  std::atomic_thread_fence(std::memory_order_acquire);
  if (seen) assert(value == 1);
  say(seen ? "flag 1\n" : "flag 0\n");
  other.join();
}

int main(int, char** arguments) {
  if (std::strcmp(arguments[1], "sizes") == 0) sizes();
  if (std::strcmp(arguments[1], "counts") == 0) counts();
  if (std::strcmp(arguments[1], "pointer") == 0) pointer();
  if (std::strcmp(arguments[1], "wait") == 0) wait();
  if (std::strcmp(arguments[1], "fence") == 0) fence();
}
