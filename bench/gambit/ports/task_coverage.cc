// Tasks are submitted to a throttle. The first one is cancelled, or it is run.
// test: TaskCoverage
// steps: 200
// bug 4: livelock: Throttle::cancel looks whether the task waits, and then marks it, in two steps. If
//   it was begun in between, it leaves twice, and the number of tasks that wait falls below zero;
//   then there is never room again.
#include <atomic>
#include <cassert>
#include <thread>

#include "throttle.h"

constexpr int kTasks = 9;

int main() {
  std::atomic<int> done{0};
  ports::Dispatcher dispatcher(2);
  ports::Throttle throttle(dispatcher, 2);
  auto work = [&] { done.fetch_add(1); };
  auto first = throttle.submit(work);
  std::thread canceller([&] { throttle.cancel(*first); });
  for (int i = 1; i < kTasks; ++i) throttle.submit(work);
  canceller.join();
  dispatcher.wait_until_idle();
  assert(done.load() >= kTasks - 1);
}
