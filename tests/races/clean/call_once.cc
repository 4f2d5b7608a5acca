// No race: who returns from call_once has what the one call wrote.
#include <cassert>
#include <mutex>
#include <thread>

std::once_flag once;
int data;

void use() {
  std::call_once(once, [] { data = 42; });
  assert(data == 42);
}

int main() {
  std::thread one(use), other(use);
  one.join();
  other.join();
}
