// moodycamel's queues: what they promise, and what their users take for granted.
#include <concurrentqueue/concurrentqueue.h>
#include <readerwriterqueue/readerwriterqueue.h>

#include <array>
#include <atomic>
#include <mutex>

#include "cases.h"
#include "spin.h"

using namespace heddle::script;

namespace {

// A consumer that finds the queue empty and, then, the producer gone has not seen what came in
// between.
template <bool kBug>
struct Drain {
  moodycamel::ConcurrentQueue<int> queue;
  std::atomic<bool> done{false};
  std::atomic<int> sum{0};

  std::atomic<bool> begun{false};

  void produce() {
    begun = true;
    for (int i = 1; i <= 3; ++i) queue.enqueue(i);
    done = true;
  }
  void consume() {
    while (!begun) spin();
    for (;;) {
      bool is_last = !kBug && done;
      int item = 0;
      if (queue.try_dequeue(item)) {
        sum += item;
        continue;
      }
      HEDDLE_YIELD("empty");
      if (kBug ? done.load() : is_last) return;
      spin();
    }
  }
  void check() { HEDDLE_ASSERT(sum == 6); }

  static void plain() {
    Drain test;
    scenarios::together([&] { test.produce(); }, [&] { test.consume(); });
    test.check();
  }

  // The producer is about to enqueue an item when the consumer finds the queue empty.
  static void script(heddle::Script& s) {
    Drain test;
    auto producer = s.thread("producer", [&] { test.produce(); });
    auto consumer = s.thread("consumer", [&] { test.consume(); });
    s.transfer(producer).until(enters("enqueue")).count(1 + heddle::choose(3));
    s.transfer(consumer).until("empty");
    scenarios::finish(s, producer, consumer);
    test.check();
  }
};

// Producer tokens are lent from a set; whether one is free is looked at before it is taken. A token
// in two hands is a data race; what it breaks is that an item is lost.
template <bool kBug>
struct Tokens {
  moodycamel::ConcurrentQueue<int> queue;
  std::array<moodycamel::ProducerToken, 2> tokens{moodycamel::ProducerToken(queue),
                                                  moodycamel::ProducerToken(queue)};
  std::array<std::atomic<bool>, 2> taken{};

  Tokens() { queue.enqueue(tokens[0], 0); }

  bool take(size_t i) {
    if (!kBug) return !taken[i].exchange(true);
    if (taken[i]) return false;
    taken[i] = true;
    return true;
  }
  void enqueue(int item) {
    size_t i = 0;
    while (!take(i)) i = (i + 1) % tokens.size();
    HEDDLE_YIELD("has a token");
    queue.enqueue(tokens[i], item);
    taken[i] = false;
  }
  void produce(int first) {
    for (int i = 0; i < 3; ++i) enqueue(first + i);
  }
  void check() {
    int sum = 0;
    for (int item = 0; queue.try_dequeue(item);) sum += item;
    HEDDLE_ASSERT(sum == 1 + 2 + 3 + 4 + 5 + 6);
  }

  static void plain() {
    Tokens test;
    scenarios::together([&] { test.produce(1); }, [&] { test.produce(4); });
    test.check();
  }

  // Both have taken a token before either uses it; then one is anywhere when the other goes on.
  static void script(heddle::Script& s) {
    Tokens test;
    auto one = s.thread("one", [&] { test.produce(1); });
    auto other = s.thread("other", [&] { test.produce(4); });
    s.transfer(one).until(writes(test.taken[0]));
    s.transfer(other).until("has a token");
    s.transfer(one).until("has a token");
    s.transfer(other).until(any);
    scenarios::finish(s, one, other);
    test.check();
  }
};

// Jobs go round in a queue for one reader and one writer, which threads use under a lock. The
// seeded bug: the lock is given back between the look at the first job and its removal.
template <bool kBug>
struct Rounds {
  moodycamel::ReaderWriterQueue<int> jobs;
  std::mutex mutex;
  std::atomic<bool> runs{false};
  std::atomic<int> turns{0};

  Rounds() { jobs.enqueue(1); }

  int next_job() {
    std::unique_lock lock(mutex);
    const int* first = jobs.peek();
    if (first == nullptr) return 0;
    int job = *first;
    if (kBug) {
      lock.unlock();
      lock.lock();
    }
    jobs.pop();
    return job;
  }
  void put_back(int job) {
    std::lock_guard lock(mutex);
    jobs.enqueue(job);
  }
  void work(int times) {
    for (int i = 0; i < times; ++i) {
      int job = next_job();
      if (job == 0) continue;
      HEDDLE_ASSERT(!runs.exchange(true));
      ++turns;
      runs = false;
      put_back(job);
    }
  }

  static void plain() {
    Rounds test;
    scenarios::together([&] { test.work(2); }, [&] { test.work(2); });
  }

  // One is about to take the lock, for the n-th time, when the other is in the middle of a job.
  static void script(heddle::Script& s) {
    Rounds test;
    auto one = s.thread("one", [&] { test.work(2); });
    auto other = s.thread("other", [&] { test.work(2); });
    s.transfer(one).until(locks(test.mutex)).count(1 + heddle::choose(4));
    s.transfer(other).until(writes(test.turns));
    scenarios::finish(s, one, other);
  }
};

}  // namespace

int main(int argc, char** argv) {
  return scenarios::run(argc, argv,
                        {scenarios::of<Drain>("moodycamel-drain"),
                         scenarios::of<Tokens>("moodycamel-tokens", "ignore"),
                         scenarios::of<Rounds>("moodycamel-rounds")});
}
