// A pair of numbers under a sequence lock: the sequence is odd while they are written. The seeded
// bug: a writer looks whether another is there, and then makes the sequence odd.
#pragma once

#include <atomic>
#include <utility>

#include "spin.h"

template <bool kBug>
class SeqLock {
 public:
  void write(int first, int second) {
    unsigned sequence = sequence_.load();
    for (;;) {
      if (sequence % 2 == 0) {
        if (kBug) {
          sequence_.store(sequence + 1);
          break;
        }
        if (sequence_.compare_exchange_strong(sequence, sequence + 1)) break;
        continue;
      }
      spin();
      sequence = sequence_.load();
    }
    first_ = first;
    second_ = second;
    sequence_.store(sequence + 2);
  }

  std::pair<int, int> read() const {
    for (;;) {
      unsigned before = sequence_.load();
      std::pair<int, int> result{first_.load(), second_.load()};
      if (before % 2 == 0 && sequence_.load() == before) return result;
      spin();
    }
  }

  const std::atomic<int>& second() const { return second_; }

 private:
  std::atomic<unsigned> sequence_{0};
  std::atomic<int> first_{0};
  std::atomic<int> second_{0};
};
