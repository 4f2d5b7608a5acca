// Gathers a number of results, from any threads.
#pragma once

#include <algorithm>
#include <cassert>
#include <mutex>
#include <utility>
#include <vector>

namespace ports {

template <class T>
class Gather {
 public:
  explicit Gather(size_t expected) : expected_(expected) {}

  // True for the last one.
  bool add(T result) {
    std::lock_guard lock(mutex_);
    assert(results_.size() < expected_);
    results_.push_back(std::move(result));
    return results_.size() == expected_;
  }

  std::vector<T> sorted() {
    std::lock_guard lock(mutex_);
    std::vector<T> all = results_;
    std::sort(all.begin(), all.end());
    return all;
  }

 private:
  const size_t expected_;
  std::mutex mutex_;
  std::vector<T> results_;
};

}  // namespace ports
