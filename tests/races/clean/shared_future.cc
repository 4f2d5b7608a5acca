// No race: two threads read the one value; nobody changes it.
#include <cassert>
#include <future>
#include <thread>
#include <vector>

int main() {
  std::promise<int> promise;
  std::shared_future<int> value = promise.get_future().share();
  std::thread one([value] { assert(value.get() == 42); });
  promise.set_value(42);
  assert(value.get() == 42);
  one.join();
}
