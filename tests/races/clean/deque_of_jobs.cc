// No race: jobs go into the queue and out of it with the mutex held, and run without it.
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable filled;
std::deque<std::function<void()>> jobs;
int result;

int main() {
  std::thread worker([] {
    std::unique_lock lock(mutex);
    filled.wait(lock, [] { return !jobs.empty(); });
    std::function<void()> job = std::move(jobs.front());
    jobs.pop_front();
    lock.unlock();
    job();
  });
  {
    std::lock_guard lock(mutex);
    jobs.emplace_back([] { result = 42; });
  }
  filled.notify_one();
  worker.join();
}
