// Gathers a number of results, from any threads, and then calls a handler once.
#pragma once

#include <cassert>
#include <functional>
#include <mutex>
#include <utility>
#include <vector>

namespace ports {

template <class T>
class Gather {
 public:
  using Handler = std::function<void(std::vector<T>)>;

  Gather(size_t expected, Handler handler) : expected_(expected), handler_(std::move(handler)) {}

  void add(T result) {
    std::vector<T> all;
    {
      std::lock_guard lock(mutex_);
      assert(results_.size() < expected_);
      results_.push_back(std::move(result));
      if (results_.size() < expected_) return;
      all = results_;
    }
    handler_(std::move(all));
  }

  bool is_complete() {
    std::lock_guard lock(mutex_);
    return results_.size() == expected_;
  }

 private:
  const size_t expected_;
  const Handler handler_;
  std::mutex mutex_;
  std::vector<T> results_;
};

}  // namespace ports
