// RAX Extended: tasks that signal events to each other and wait for them, after the executive of
// NASA's Remote Agent; three further tasks signal the first event too.
// program: RAX Extended
// threads: 5
// bug: assertion: a signal reads the event's count before it takes the lock under which it writes
//   it, so that signals between are lost. One would not be noticed; after two the count goes back.
#include <heddle/heddle.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

constexpr int kRounds = 2;
constexpr int kFurther = 3;

class Event {
 public:
  void signal() {
    int next = count_ + 1;
    std::lock_guard guard(mutex_);
    HEDDLE_ASSERT(count_ <= next);  // it never goes back
    count_ = next;
    signalled_.notify_all();
  }

  // Waits until there have been so many signals.
  void wait_for(int count) {
    std::unique_lock lock(mutex_);
    signalled_.wait(lock, [&] { return count_ >= count; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable signalled_;
  std::atomic<int> count_{0};
};

static Event first_event;
static Event second_event;

static void first_task() {
  for (int round = 1; round <= kRounds; ++round) {
    first_event.wait_for(round);
    second_event.signal();
  }
}

static void second_task() {
  for (int round = 1; round <= kRounds; ++round) {
    first_event.signal();
    second_event.wait_for(round);
  }
}

// Begins when the others have gone through some rounds, and signals too.
static void further_task(int number) {
  second_event.wait_for(number);
  first_event.signal();
}

int main() {
  std::vector<std::thread> tasks;
  tasks.emplace_back(first_task);
  tasks.emplace_back(second_task);
  for (int i = 0; i < kFurther; ++i) tasks.emplace_back(further_task, i);
  for (std::thread& task : tasks) task.join();
}
