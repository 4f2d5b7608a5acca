// No race: a deferred call runs in the thread that asks for its result.
#include <cassert>
#include <future>

int data;

int main() {
  std::future<int> result = std::async(std::launch::deferred, [] { return ++data; });
  ++data;
  assert(result.get() == 2);
}
