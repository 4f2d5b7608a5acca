// No race: get returns after set_value, and all that came before it.
#include <cassert>
#include <future>
#include <thread>

int data;

int main() {
  std::promise<void> promise;
  std::future<void> done = promise.get_future();
  std::thread writer([&] {
    data = 42;
    promise.set_value();
  });
  done.get();
  assert(data == 42);
  writer.join();
}
