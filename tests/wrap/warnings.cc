// Clean under -Wall -Wextra -Wpedantic with the plain compiler, so it has to be with the wrapper.
// It holds what the sanitizer's pass has warnings of its own for (fences) or changes the code of.
#include <atomic>
#include <cstring>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

struct Slot {
  std::atomic<unsigned> sequence{0};
  unsigned long long data[4] = {};
};

bool read_slot(const Slot& slot, unsigned long long (&out)[4]) {
  const unsigned before = slot.sequence.load(std::memory_order_acquire);
  if ((before & 1U) != 0) return false;
  std::memcpy(out, slot.data, sizeof out);
  std::atomic_thread_fence(std::memory_order_acquire);
  return slot.sequence.load(std::memory_order_relaxed) == before;
}

void write_slot(Slot& slot, unsigned long long value) {
  slot.sequence.fetch_add(1, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_release);
  for (auto& word : slot.data) word = value;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  slot.sequence.fetch_add(1, std::memory_order_release);
}

std::optional<std::string> maybe(int n) {
  std::optional<std::string> result;
  if (n > 1) result = std::to_string(n);
  return result;
}

// What headers call is behind macros of the wrapper's with GCC: arguments may have commas and any
// operator.
template <int kFirst, int kSecond>
struct Length {
  static constexpr unsigned value = kFirst + kSecond;
};
bool copy_with_builtins(unsigned n) {
  char from[16] = "text", to[16];
  __builtin_memset(to, Length<1, 2>::value, sizeof to);
  __builtin_memcpy(to, from, Length<4, 2>::value);
  __builtin_memmove(to, from, n > 3 ? n & 3 : Length<1, 1>::value + n);
  return __builtin_memcmp(to, from, Length<4, 1>::value) == 0;
}
static_assert(__builtin_memcmp("abc", "abd", Length<1, 1>::value) == 0);

int main(int argc, char**) {
  if (!copy_with_builtins(static_cast<unsigned>(argc))) return 2;
  Slot slot;
  unsigned long long seen[4];
  std::thread writer([&slot] { write_slot(slot, 9); });
  writer.join();
  std::vector<std::string> texts;
  if (auto text = maybe(argc)) texts.push_back(*text);
  return read_slot(slot, seen) && seen[3] == 9 && texts.empty() ? 0 : 1;
}
