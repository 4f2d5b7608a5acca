// accesses [alone|beside]: a hundred million plain accesses to the heap by one thread; beside
// another one that waits all the time, or alone. Prints the nanoseconds for each access.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <thread>
#include <vector>

namespace {

constexpr uint64_t kAccesses = 100'000'000;
constexpr uint64_t kWords = 4096;

// Two accesses for each round: a read and a write. The memory is not optimised away, since its
// address leaves.
uint64_t run(uint32_t* words) {
  for (uint64_t i = 0; i < kAccesses / 2; ++i) {
    words[(i * 7) % kWords] += static_cast<uint32_t>(i);
    asm volatile("" : : "r"(words) : "memory");
  }
  return words[0];
}

}  // namespace

int main(int count, char** arguments) {
  std::vector<uint32_t> words(kWords);
  std::mutex gate;
  gate.lock();
  std::thread other;
  if (count > 1 && std::strcmp(arguments[1], "beside") == 0) {
    other = std::thread([&] { std::lock_guard lock(gate); });
  }
  timespec begin, end;  // the real clock: under control, time is virtual
  asm volatile("syscall" : : "a"(228), "D"(4), "S"(&begin) : "rcx", "r11", "memory");
  uint64_t result = run(words.data());
  asm volatile("syscall" : : "a"(228), "D"(4), "S"(&end) : "rcx", "r11", "memory");
  gate.unlock();
  if (other.joinable()) other.join();
  double nanoseconds = static_cast<double>(end.tv_sec - begin.tv_sec) * 1e9 +
                       static_cast<double>(end.tv_nsec - begin.tv_nsec);
  std::printf("%.3f\n", nanoseconds / kAccesses);
  return result == 1 ? 1 : 0;
}
