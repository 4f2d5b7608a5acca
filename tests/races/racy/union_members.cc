// Races: the members of a union share their bytes.
#include <thread>

union Word {
  int whole;
  char bytes[4];
} word;

int main() {
  std::thread other([] {
    word.whole = 1;  // race
  });
  word.bytes[2] = 1;  // race
  other.join();
}
