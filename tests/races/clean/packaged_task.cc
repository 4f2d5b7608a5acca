// No race: the task's result is there when get returns.
#include <cassert>
#include <future>
#include <thread>

int main() {
  int input = 6;
  std::packaged_task<int()> task([&] { return input * 7; });
  std::future<int> result = task.get_future();
  std::thread runner(std::move(task));
  assert(result.get() == 42);
  runner.join();
}
