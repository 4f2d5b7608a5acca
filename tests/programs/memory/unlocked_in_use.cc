// Memory is freed while another thread may still be at the unlock of a mutex in it: the report
// names that operation.
// COMPILERS: gcc clang
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --json %t.json %t
// EXIT: 1
// OUT: FAILED  use-after-free in main at unlocked_in_use.cc:38
// OUT: freed by main
// OUT: ^  unlock mutex by T1
// OUT: a block of \d+ bytes, allocated by main
// NOT: ^ +of \d+ byte
// JSON: [w["role"] for w in j["failures"][0]["witnesses"]] == ["freed", "use", "allocated"]
// What is read back from the file says the same.
// RUN: %heddle show heddle-out/unlocked_in_use-1.heddle
// OUT: ^  unlock mutex by T1
#include <atomic>
#include <mutex>
#include <thread>

struct Shared {
  std::mutex mutex;
  int value = 0;
};

std::atomic<bool> done{false};

void work(Shared* shared) {
  shared->mutex.lock();
  ++shared->value;
  done = true;
  shared->mutex.unlock();
}

int main() {
  auto* shared = new Shared;
  std::thread worker(work, shared);
  while (!done) std::this_thread::yield();
  delete shared;
  worker.join();
}
