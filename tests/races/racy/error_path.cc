// Races: only on the way of an error, when the other thread has not yet come so far.
// rare: the second thread must find the first between its two stores
#include <atomic>
#include <thread>

std::atomic<int> stage;
int failures;

int main() {
  std::thread worker([] {
    stage.store(1);
    stage.store(2);
    ++failures;  // race
  });
  if (stage.load() == 1) ++failures;  // race
  worker.join();
}
