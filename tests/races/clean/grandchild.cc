// No race: create and join order the grandchild with main.
#include <cassert>
#include <thread>

int data;

int main() {
  data = 1;
  std::thread child([] {
    std::thread grandchild([] { ++data; });
    grandchild.join();
    ++data;
  });
  child.join();
  assert(data == 3);
}
