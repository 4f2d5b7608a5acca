// Races: the future orders what came before set_value, not what follows it.
#include <future>
#include <thread>

int data, seen;

int main() {
  std::promise<void> promise;
  std::future<void> done = promise.get_future();
  std::thread writer([&] {
    promise.set_value();
    data = 42;  // race
  });
  done.get();
  seen = data;  // race
  writer.join();
}
