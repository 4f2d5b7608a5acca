// Races: one thread uses the variable through atomic_ref, the other plainly.
#include <atomic>
#include <thread>

int counter, seen;

int main() {
  std::thread writer([] {
    std::atomic_ref<int> shared(counter);
    shared.store(1);  // race
  });
  seen = counter;  // race
  writer.join();
}
