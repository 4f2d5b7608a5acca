// What programs do every day: threads, exceptions, thread_local, iostreams, statics, atomics,
// waits. Deterministic output, so that it can be compared with that of the plain compiler's
// program.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <shared_mutex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

struct Noisy {
  explicit Noisy(const char* name) : name_(name) {}
  ~Noisy() { destroyed.fetch_add(1); }
  const char* name_;
  static std::atomic<int> destroyed;
};
std::atomic<int> Noisy::destroyed;

thread_local Noisy noisy("thread");
thread_local std::string text = "fresh";

struct AtExit {
  ~AtExit() { std::puts("static destructor"); }
} at_exit;

int lazy() {
  static int value = [] { return std::atoi("17"); }();
  return value;
}

class Queue {
 public:
  void put(int value) {
    std::lock_guard lock(mutex_);
    values_.push_back(value);
    changed_.notify_one();
  }
  int take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !values_.empty(); });
    const int value = values_.back();
    values_.pop_back();
    return value;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<int> values_;
};

int deep(int n) {
  if (n == 0) throw std::runtime_error("from the depth");
  return deep(n - 1) + 1;
}

void threads() {
  Queue queue;
  std::atomic<long> sum{0};
  std::atomic<int> fresh{0};
  std::shared_mutex table_mutex;
  std::map<int, std::string> table;
  std::vector<std::thread> pool;
  for (int i = 0; i < 4; ++i) {
    pool.emplace_back([&, i] {
      if (text == "fresh" && noisy.name_[0] == 't') fresh.fetch_add(1);
      text = std::to_string(i);
      for (int k = 0; k < 100; ++k) sum.fetch_add(queue.take(), std::memory_order_relaxed);
      std::unique_lock lock(table_mutex);
      table[i] = text;
    });
  }
  for (int k = 1; k <= 400; ++k) queue.put(k);
  for (std::thread& thread : pool) thread.join();
  std::cout << "sum " << sum << " fresh " << fresh << " destroyed " << Noisy::destroyed << '\n';
  for (const auto& [key, value] : table) std::cout << key << '=' << value << ' ';
  std::cout << '\n';
}

void exceptions() {
  try {
    deep(20);
  } catch (const std::exception& error) {
    std::cout << "caught " << error.what() << '\n';
  }
  auto failing = std::async(std::launch::async, [] { return deep(3); });
  try {
    failing.get();
  } catch (const std::runtime_error& error) {
    std::cout << "future " << error.what() << '\n';
  }
}

void waits() {
  std::atomic<bool> go{false};
  std::thread waiter([&] { go.wait(false); });
  go.store(true);
  go.notify_all();
  waiter.join();
  std::mutex mutex;
  std::condition_variable never;
  std::unique_lock lock(mutex);
  const auto status = never.wait_for(lock, std::chrono::milliseconds(5));
  std::cout << (status == std::cv_status::timeout ? "timed out" : "woken") << '\n';
  std::shared_ptr<int> shared = std::make_shared<int>(5);
  std::thread([copy = shared] { std::this_thread::yield(); }).join();
  std::cout << "uses " << shared.use_count() << " lazy " << lazy() << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  threads();
  exceptions();
  waits();
  std::ostringstream line;
  for (int i = 1; i < argc; ++i) line << '[' << argv[i] << ']';
  std::cerr << "arguments " << line.str() << '\n';
  std::string word;
  while (std::cin >> word) std::cout << "read " << word << '\n';
  return 7;
}
