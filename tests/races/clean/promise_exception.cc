// No race: an exception crosses through the shared state as a value does.
#include <cassert>
#include <future>
#include <stdexcept>
#include <thread>

int data;

int main() {
  std::promise<int> promise;
  std::thread thrower([&] {
    data = 42;
    promise.set_exception(std::make_exception_ptr(1));
  });
  try {
    promise.get_future().get();
  } catch (int) {
    assert(data == 42);
  }
  thrower.join();
}
