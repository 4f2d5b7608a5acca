// No race: a hash table that grows with the mutex held.
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>

std::mutex mutex;
std::unordered_map<std::string, int> counts;

void count(const char* word) {
  std::lock_guard lock(mutex);
  ++counts[word];
}

int main() {
  std::thread other(count, "one");
  count("two");
  other.join();
}
