// No race: the destructor of a jthread joins.
#include <cassert>
#include <thread>

int data;

int main() {
  {
    std::jthread writer([] { data = 42; });
  }
  assert(data == 42);
}
