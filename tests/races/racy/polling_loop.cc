// Races: the loop polls a plain variable.
#include <thread>

bool ready;
int rounds;

int main() {
  std::thread writer([] {
    ready = true;  // race
  });
  for (int i = 0; i < 5; ++i) {
    if (ready) break;  // race
    ++rounds;
    std::this_thread::yield();
  }
  writer.join();
}
