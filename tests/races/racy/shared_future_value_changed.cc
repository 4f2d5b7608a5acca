// Races: both get a reference to the one value, and both change what it points to.
#include <future>
#include <thread>

int target;

int main() {
  std::promise<int*> promise;
  std::shared_future<int*> value = promise.get_future().share();
  std::thread other([value] {
    ++*value.get();  // race
  });
  promise.set_value(&target);
  ++*value.get();  // race
  other.join();
}
