// Interprets small programs: each argument is a thread's, a letter for each operation: r, w and R,
// W read and write two atomics, l, u and L, U lock and unlock two mutexes, and a dot is a yield
// point. See cooperative_random.py.
#include <heddle/heddle.h>

#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

std::atomic<int> small;
std::atomic<int> large;
std::mutex small_mutex;
std::mutex large_mutex;

void perform(char letter) {
  switch (letter) {
    case 'r':
      small.load();
      break;
    case 'w':
      small.store(1);
      break;
    case 'R':
      large.load();
      break;
    case 'W':
      large.store(1);
      break;
    case 'l':
      small_mutex.lock();
      break;
    case 'u':
      small_mutex.unlock();
      break;
    case 'L':
      large_mutex.lock();
      break;
    case 'U':
      large_mutex.unlock();
      break;
    case '.':
      HEDDLE_YIELD("dot");
      break;
  }
}

int main(int argc, char** argv) {
  std::vector<std::thread> threads;
  for (int i = 1; i < argc; ++i) {
    threads.emplace_back([word = argv[i]] {
      for (const char* letter = word; *letter != '\0'; ++letter) perform(*letter);
    });
  }
  for (std::thread& thread : threads) thread.join();
}
