// No race: the allocator orders a free with the malloc that hands out the same memory again.
#include <cstdlib>
#include <thread>

void work() {
  int* mine = static_cast<int*>(std::malloc(64));
  for (int i = 0; i < 4; ++i) mine[i] = i;
  std::free(mine);
}

int main() {
  std::thread one(work), other(work);
  work();
  one.join();
  other.join();
}
