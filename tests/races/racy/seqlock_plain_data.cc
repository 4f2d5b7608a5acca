// Races: the reader looks again afterwards, but it has read plain data while they were written.
#include <atomic>
#include <thread>

std::atomic<unsigned> sequence;
int data, seen;

int main() {
  std::thread writer([] {
    sequence.store(1);
    data = 1;  // race
    sequence.store(2);
  });
  unsigned before = sequence.load();
  int copy = data;  // race
  if (sequence.load() == before) seen = copy;
  writer.join();
}
