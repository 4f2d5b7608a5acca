// Races: the two copies share the byte at 5.
#include <cstring>
#include <thread>

char target[16];
char source[16] = "0123456789abcde";

void copy(int from, int length) {
  std::memcpy(target + from, source + from, length);  // race
}

int main() {
  std::thread other(copy, 0, 6);
  copy(5, 11);
  other.join();
}
