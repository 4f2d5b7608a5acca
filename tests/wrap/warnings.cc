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

int main(int argc, char**) {
  Slot slot;
  unsigned long long seen[4];
  std::thread writer([&slot] { write_slot(slot, 9); });
  writer.join();
  std::vector<std::string> texts;
  if (auto text = maybe(argc)) texts.push_back(*text);
  return read_slot(slot, seen) && seen[3] == 9 && texts.empty() ? 0 : 1;
}
