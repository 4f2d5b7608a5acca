// No race: the two copies touch at byte 5, and do not overlap.
#include <cstring>
#include <thread>

char target[16];
char source[16] = "0123456789abcde";

int main() {
  std::thread other([] { std::memcpy(target, source, 5); });
  std::memcpy(target + 5, source + 5, 11);
  other.join();
}
