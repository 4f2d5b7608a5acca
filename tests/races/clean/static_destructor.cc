// No race: destructors of static objects run after main has joined the threads.
#include <thread>

struct Log {
  int entries = 0;
  ~Log() { entries = -1; }
} entries_log;

int main() {
  std::thread writer([] { ++entries_log.entries; });
  writer.join();
}
