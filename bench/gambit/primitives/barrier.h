// A barrier for any number of phases, whose participants may come and go, with an action at the end
// of each phase. One word holds how many have arrived, how many take part, and the sense of the
// phase. The last to arrive turns the sense, runs the action, and then opens the phase's event;
// even and odd phases have one each, and the other one must be closed again before anybody can
// arrive at it.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <utility>

#include "manual_reset_event.h"
#include "seeded.h"

namespace primitives {

class Barrier {
 public:
  explicit Barrier(int participants, std::function<void(long)> action = {})
      : current_(pack({0, participants, true})), odd_(true), action_(std::move(action)) {}

  long phase() const { return phase_.load(); }

  // Returns the first phase in which the new participant takes part.
  long add_participant() {
    Current seen = change([](Current& current) { ++current.total; });
    long now = phase_.load();
    if (seen.even != (now % 2 == 0)) {
      // The phase is complete, but not yet at its end; the next one begins when its event is open.
      event(!seen.even).wait();
      return now + 1;
    }
    // The phase has begun, but whoever ended the one before may not yet have closed its event. It
    // cannot be opened again without us.
    if (!has_bug(2) && event(seen.even).is_set()) event(seen.even).reset();
    return now;
  }

  void remove_participant() {
    Current seen = change([](Current& current) {
      --current.total;
      if (current.total > 0 && current.arrived == current.total) turn(current);
    });
    if (seen.total > 1 && seen.arrived == seen.total - 1) end_phase(seen.even);
  }

  void signal_and_wait() {
    Current seen = change([](Current& current) {
      ++current.arrived;
      if (current.arrived == current.total) turn(current);
    });
    if (seen.arrived + 1 == seen.total) {
      end_phase(seen.even);
    } else {
      event(seen.even).wait();
    }
  }

 private:
  struct Current {
    int arrived;
    int total;
    bool even;
  };

  static std::uint32_t pack(Current current) {
    return static_cast<std::uint32_t>(current.arrived << 16 | current.total << 1 | current.even);
  }
  static Current unpack(std::uint32_t word) {
    return {static_cast<int>(word >> 16), static_cast<int>(word >> 1 & 0x7fff), (word & 1) != 0};
  }
  static void turn(Current& current) {
    current.arrived = 0;
    current.even = !current.even;
  }

  // Returns what stood there before.
  template <typename Change>
  Current change(Change&& change) {
    std::uint32_t word = current_.load();
    for (;;) {
      Current current = unpack(word);
      change(current);
      if (current_.compare_exchange_strong(word, pack(current))) return unpack(word);
    }
  }

  void end_phase(bool even) {
    if (action_) action_(phase_.load());
    phase_.fetch_add(1);
    if (has_bug(1)) {
      event(even).set();
      event(!even).reset();
    } else {
      event(!even).reset();
      event(even).set();
    }
  }

  ManualResetEvent& event(bool even) { return even ? even_ : odd_; }

  std::atomic<std::uint32_t> current_;
  std::atomic<long> phase_{0};
  ManualResetEvent even_;
  ManualResetEvent odd_;
  std::function<void(long)> action_;
};

}  // namespace primitives
