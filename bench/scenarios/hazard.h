// Two versions of something, one of them current, which a writer replaces by the other and
// reclaims, unless a reader's hazard pointer protects it. The seeded bug: a reader does not look
// again, after it has published its pointer, whether that version is still the current one.
#pragma once

#include <array>
#include <atomic>

template <bool kBug>
class Versions {
 public:
  static constexpr int kReaders = 2;
  static constexpr int kNone = -1;

  // The number of the version, which is not reclaimed until release().
  int protect(int reader) {
    for (;;) {
      int version = current_.load();
      hazards_[reader] = version;
      if (kBug || current_.load() == version) return version;
    }
  }
  void release(int reader) { hazards_[reader] = kNone; }
  bool is_alive(int version) const { return is_alive_[version]; }

  // By one writer at a time.
  void replace() {
    int old = current_.load();
    is_alive_[1 - old] = true;
    current_ = 1 - old;
    for (const std::atomic<int>& hazard : hazards_) {
      if (hazard.load() == old) return;  // it stays alive until it is used again
    }
    is_alive_[old] = false;
  }

 private:
  std::atomic<int> current_{0};
  std::array<std::atomic<int>, kReaders> hazards_{kNone, kNone};
  std::array<std::atomic<bool>, 2> is_alive_{true, false};
};
