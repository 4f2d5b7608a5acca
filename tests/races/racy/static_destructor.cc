// Races: main returns, and the object is destroyed, while a detached thread uses it.
#include <chrono>
#include <thread>

int seen;

struct Log {
  int entries = 0;
  ~Log() {
    seen = entries;  // race
  }
} entries_log;

int main() {
  std::thread([] {
    ++entries_log.entries;  // race
  }).detach();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
}
