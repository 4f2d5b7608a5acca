// Races: volatile is not atomic, and orders nothing.
#include <thread>

volatile bool ready;
int seen;

int main() {
  std::thread writer([] {
    ready = true;  // race
  });
  if (ready) seen = 1;  // race
  writer.join();
}
