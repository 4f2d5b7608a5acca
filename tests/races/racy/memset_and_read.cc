// Races: one byte of what memset writes is read.
#include <cstring>
#include <thread>

char buffer[64];
char seen;
unsigned long length = sizeof buffer;  // not a constant: those the compiler may expand unseen

int main() {
  std::thread other([] {
    std::memset(buffer, 1, length);  // race
  });
  seen = buffer[40];  // race
  other.join();
}
