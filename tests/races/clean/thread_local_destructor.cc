// No race: destructors of thread_local variables run before the join returns.
#include <cassert>
#include <thread>

int data;

struct AtEnd {
  ~AtEnd() { data = 42; }
};

int main() {
  std::thread writer([] {
    thread_local AtEnd at_end;
    (void)&at_end;
  });
  writer.join();
  assert(data == 42);
}
