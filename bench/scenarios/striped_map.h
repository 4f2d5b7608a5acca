// A hash map whose buckets are guarded by a few locks. The seeded bug: a key's bucket is looked up
// before its lock is taken, and the map may have been resized when it has been.
#pragma once

#include <array>
#include <atomic>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

template <bool kBug>
class StripedMap {
 public:
  static constexpr size_t kMost = 8;  // buckets

  void put(int key, int value) {
    size_t bucket = key % buckets_.load();
    std::lock_guard lock(mutex_of(key));
    if (!kBug) bucket = key % buckets_.load();
    table_[bucket].emplace_back(key, value);
  }
  std::optional<int> get(int key) {
    std::lock_guard lock(mutex_of(key));
    for (auto [other, value] : table_[key % buckets_.load()]) {
      if (other == key) return value;
    }
    return std::nullopt;
  }
  // Keys that share a bucket share a lock: the number is even.
  void resize(size_t buckets) {
    for (std::mutex& mutex : mutexes_) mutex.lock();
    std::array<Bucket, kMost> table;
    for (const Bucket& bucket : table_) {
      for (auto entry : bucket) table[entry.first % buckets].push_back(entry);
    }
    table_ = std::move(table);
    buckets_ = buckets;
    for (std::mutex& mutex : mutexes_) mutex.unlock();
  }

  std::mutex& mutex_of(int key) { return mutexes_[key % mutexes_.size()]; }

 private:
  using Bucket = std::vector<std::pair<int, int>>;
  std::array<std::mutex, 2> mutexes_;
  std::array<Bucket, kMost> table_;
  std::atomic<size_t> buckets_{2};
};
