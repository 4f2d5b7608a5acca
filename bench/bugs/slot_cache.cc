// A cache whose slots are filled when they are first asked for.
// program: slot_cache
// bug: assertion: who fills a slot writes the key before the value, and others go by the key.
#include <array>
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

class Cache {
 public:
  int square(int n) {
    Slot& slot = slots_[n % kSlots];
    if (slot.key == n) return slot.value;
    std::lock_guard guard(mutex_);
    if (slot.key == 0) {
      slot.key = n;
      slot.value = n * n;
    }
    return n * n;
  }

 private:
  struct Slot {
    std::atomic<int> key{0};  // 0: empty
    std::atomic<int> value{0};
  };
  static constexpr int kSlots = 4;
  std::mutex mutex_;
  std::array<Slot, kSlots> slots_;
};

static Cache cache;

static void use() {
  for (int n = 1; n <= 5; ++n) assert(cache.square(n) == n * n);
}

int main() {
  std::thread first(use);
  std::thread second(use);
  first.join();
  second.join();
}
