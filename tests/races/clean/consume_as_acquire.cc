// No race: compilers promote consume to acquire, and the access depends on the pointer anyway.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int*> published;

int main() {
  std::thread writer([] {
    int* fresh = new int;
    *fresh = 42;
    published.store(fresh, std::memory_order_release);
  });
  if (int* seen = published.load(std::memory_order_consume)) assert(*seen == 42);
  writer.join();
  delete published.load();
}
