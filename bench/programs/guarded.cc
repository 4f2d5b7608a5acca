// guarded: two threads, each of which takes a mutex three times and works on some fifty words under
// it. A test as tests are: mostly plain accesses, few operations.
#include <mutex>
#include <thread>
#include <vector>

int main() {
  std::vector<int> words(50);
  std::mutex mutex;
  auto work = [&] {
    for (int round = 0; round < 3; ++round) {
      std::lock_guard lock(mutex);
      for (int& word : words) ++word;
    }
  };
  std::thread first(work), second(work);
  first.join();
  second.join();
  return words[7] == 6 ? 0 : 1;
}
