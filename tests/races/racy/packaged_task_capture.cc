// Races: the task captures by reference what main goes on changing.
#include <future>
#include <thread>

int main() {
  int input = 1;
  std::packaged_task<int()> task([&] {
    return input;  // race
  });
  std::future<int> result = task.get_future();
  std::thread runner(std::move(task));
  input = 2;  // race
  runner.join();
  return result.get() == 3;
}
