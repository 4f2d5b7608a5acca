// A small server that starts, works and shuts down: 15 threads, and more than 160,000 operations in
// each execution. A client sends requests over a socket pair; a listener hands them to a pool of
// eight; the answers go back the same way; a logger writes down what happened; two timers tick.
// Idle workers spin before they sleep, statistics have a spin lock, and shutdown waits by yielding.
// Under control, many times, with its spins (./dev bench fair does it hundreds of times).
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --strategy random --executions 4 --json %t.json %t 3800
// JSON: j["failures"] == [] and j["executions"] == 4 and j["cut"] == 0 and j["threads"] >= 14
// JSON: j["steps"] >= 4 * 160000
// RUN: %heddle run --executions 1 --json %t.json %t 7000
// JSON: j["failures"] == [] and j["cut"] == 0 and j["max_steps"] >= 160000
// RUN: %t 3800
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

constexpr int kWorkers = 8, kTimers = 2;

// Test-and-test-and-set.
class SpinLock {
 public:
  void lock() {
    while (held_.exchange(true)) {
      while (held_.load()) __builtin_ia32_pause();
    }
  }
  void unlock() { held_.store(false); }

 private:
  std::atomic<bool> held_{false};
};

// A queue whose readers look a few times before they sleep.
class Queue {
 public:
  void push(int item) {
    {
      std::lock_guard hold(lock_);
      items_.push_back(item);
      size_.store(static_cast<int>(items_.size()));
    }
    changed_.notify_one();
  }
  void close() {
    {
      std::lock_guard hold(lock_);
      closed_ = true;
    }
    changed_.notify_all();
  }
  // False at the end.
  bool pop(int& item) {
    for (int spins = 0; spins < 3 && size_.load() == 0; ++spins) std::this_thread::yield();
    std::unique_lock hold(lock_);
    changed_.wait(hold, [this] { return closed_ || !items_.empty(); });
    if (items_.empty()) return false;
    item = items_.front();
    items_.pop_front();
    size_.store(static_cast<int>(items_.size()));
    return true;
  }

 private:
  std::mutex lock_;
  std::condition_variable changed_;
  std::deque<int> items_;
  std::atomic<int> size_{0};
  bool closed_ = false;
};

void send(int socket, int number) {
  [[maybe_unused]] ssize_t sent = write(socket, &number, sizeof number);
  assert(sent == sizeof number);
}

bool receive(int socket, int& number) {
  return read(socket, &number, sizeof number) == sizeof number;
}

class Server {
 public:
  explicit Server(int socket) : socket_(socket) {
    logger_ = std::thread([this] { write_log(); });
    for (int i = 0; i < kTimers; ++i) timers_.emplace_back([this] { tick(); });
    for (int i = 0; i < kWorkers; ++i) workers_.emplace_back([this] { work(); });
    listener_ = std::thread([this] { listen(); });
  }

  // After the client has said its last word: the listener ends, then the workers, the timers, the
  // logger.
  void shut_down() {
    listener_.join();
    while (pending_.load() != 0) std::this_thread::yield();
    requests_.close();
    for (std::thread& worker : workers_) worker.join();
    stop_.store(true);
    for (std::thread& timer : timers_) timer.join();
    log_.close();
    logger_.join();
  }

  long handled() const { return handled_; }
  long logged() const { return logged_; }

 private:
  void listen() {
    for (int number; receive(socket_, number) && number != 0;) {
      pending_.fetch_add(1);
      requests_.push(number);
    }
  }
  void work() {
    for (int number; requests_.pop(number);) {
      {
        std::lock_guard hold(statistics_);
        ++handled_;
      }
      send(socket_, number * 2);
      log_.push(number);
      pending_.fetch_sub(1);
    }
  }
  void tick() {
    while (!stop_.load()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      std::lock_guard hold(statistics_);
      ++ticks_;
    }
  }
  void write_log() {
    for (int number; log_.pop(number);) ++logged_;
  }

  int socket_;
  Queue requests_, log_;
  SpinLock statistics_;
  long handled_ = 0, ticks_ = 0, logged_ = 0;
  std::atomic<int> pending_{0};
  std::atomic<bool> stop_{false};
  std::thread listener_, logger_;
  std::vector<std::thread> workers_, timers_;
};

int main(int argc, char** argv) {
  int requests = argc > 1 ? std::atoi(argv[1]) : 100, ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return 1;
  Server server(ends[1]);
  std::thread sender([&] {
    for (int i = 1; i <= requests; ++i) send(ends[0], i);
    send(ends[0], 0);
  });
  long sum = 0;
  std::thread reader([&] {
    int answer;
    for (int i = 0; i < requests && receive(ends[0], answer); ++i) sum += answer;
  });
  sender.join();
  reader.join();
  server.shut_down();
  close(ends[0]);
  close(ends[1]);
  assert(sum == static_cast<long>(requests) * (requests + 1));
  assert(server.handled() == requests && server.logged() == requests);
}
