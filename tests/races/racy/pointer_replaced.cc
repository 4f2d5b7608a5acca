// Races: one thread assigns the pointer that another one follows.
#include <thread>

struct Config {
  int level = 1;
} quiet, loud;
Config* config = &quiet;
int seen;

int main() {
  std::thread other([] {
    config = &loud;  // race
  });
  seen = config->level;  // race
  other.join();
}
