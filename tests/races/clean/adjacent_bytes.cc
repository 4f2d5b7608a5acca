// No race: bytes in the same word are different memory locations.
#include <thread>

alignas(8) char bytes[8];

void work(int first) {
  for (int i = first; i < 8; i += 2) bytes[i] = 1;
}

int main() {
  std::thread odd(work, 1);
  work(0);
  odd.join();
}
