// Races: the write comes after the count, which main waits for.
#include <latch>
#include <thread>

std::latch done(1);
int data, seen;

int main() {
  std::thread writer([] {
    done.count_down();
    data = 42;  // race
  });
  done.wait();
  seen = data;  // race
  writer.join();
}
