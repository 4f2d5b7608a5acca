// No race: the result of async, and all that its thread did, is before the return of get.
#include <cassert>
#include <future>

int data;

int main() {
  std::future<int> result = std::async(std::launch::async, [] {
    data = 1;
    return 41;
  });
  assert(result.get() + data == 42);
}
