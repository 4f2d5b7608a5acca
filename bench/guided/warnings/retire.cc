// Jobs are freed when they are done, and again if they were cancelled. One can be cancelled while
// it runs, the other only when it is done.
#include <atomic>
#include <cstdlib>
#include <thread>

static std::atomic<bool> cancelled{false};
static std::atomic<bool> shut_down{false};
static std::atomic<int> done{0};

static void run_job() {
  int* job = static_cast<int*>(std::malloc(sizeof(int)));
  done += job != nullptr;
  free(job);
  if (cancelled.load()) {
    free(job);
  }
}

static void run_last_job() {
  int* job = static_cast<int*>(std::malloc(sizeof(int)));
  done += job != nullptr;
  free(job);
  if (shut_down.load()) {
    free(job);
  }
}

int main() {
  std::thread worker(run_job);
  std::thread last(run_last_job);
  cancelled.store(true);
  worker.join();
  last.join();
  shut_down.store(true);
  return done == 2 ? 0 : 1;
}
