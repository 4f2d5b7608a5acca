// Threads that do what the arguments say, one word for each: `a` an atomic update of a counter, `L`
// and `l` lock the mutexes 0 and 1, `U` and `u` unlock them, `t` tries to lock mutex 0 and unlocks
// it again if that worked. The state: how far each thread is, and the counter.
#include <heddle/heddle.h>

#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

std::atomic<unsigned char> counter;
std::mutex mutexes[2];
std::vector<unsigned char> place;

void work(const char* word, unsigned char& at) {
  for (; *word != '\0'; ++word, ++at) {
    if (*word == 'a') ++counter;
    if (*word == 'L') mutexes[0].lock();
    if (*word == 'U') mutexes[0].unlock();
    if (*word == 'l') mutexes[1].lock();
    if (*word == 'u') mutexes[1].unlock();
    if (*word == 't' && mutexes[0].try_lock()) mutexes[0].unlock();
  }
}

int main(int count, char** words) {
  place.resize(static_cast<size_t>(count - 1));
  heddle::state([] { return std::pair(place, counter.load()); });
  std::vector<std::thread> threads;
  for (int i = 1; i < count; ++i) {
    threads.emplace_back([&, i] { work(words[i], place[static_cast<size_t>(i - 1)]); });
  }
  for (std::thread& thread : threads) thread.join();
}
