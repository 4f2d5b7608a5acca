// Races: main writes the input after it has created the thread that reads it.
#include <thread>

int input, seen;

int main() {
  std::thread reader([] {
    seen = input;  // race
  });
  input = 42;  // race
  reader.join();
}
