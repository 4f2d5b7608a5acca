// Races: the jthread is joined at the end of its scope, and the read comes before.
#include <thread>

int data, seen;

int main() {
  std::jthread writer([] {
    data = 42;  // race
  });
  seen = data;  // race
}
