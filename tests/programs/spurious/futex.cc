// With --spurious a futex wait may return for no reason; std::atomic::wait looks again.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --strategy dfs --json %t.json %t raw
// JSON: j["verdict"] == "passed"
// RUN: %heddle run --strategy dfs --spurious --json %t.json %t raw
// EXIT: 1
// OUT: wake from futex word \(spuriously\)
// JSON: j["failures"][0]["kind"] == "assertion"
// RUN: %heddle run --spurious --json %t.json %t atomic
// JSON: j["verdict"] == "passed"
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <string>
#include <thread>

std::atomic<int> word;

int main(int, char** arguments) {
  bool raw = arguments[1] == std::string("raw");
  std::thread other([&] {
    word = 1;
    if (raw) {
      syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
    } else {
      word.notify_one();
    }
  });
  if (raw) {
    syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, nullptr, nullptr, 0);
  } else {
    word.wait(0);
  }
  assert(word == 1);
  other.join();
}
