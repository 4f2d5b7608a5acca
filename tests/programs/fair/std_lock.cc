// std::lock lets go of what it has, and tries again, where it does not get all: two threads can do
// so for ever, each preempted at the worst moment. That is no failure of its user, and the search
// ends. A loop of the program's own that does the same is a livelock.
// COMPILERS: gcc clang
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --json %t.json %t scoped
// EXIT: 0
// JSON: j["verdict"] == "passed" and any("std::lock" in note for note in j["notes"])
// RUN: %heddle run --strategy dfs --reduce dpor --jobs 2 --json %t.json %t unique
// EXIT: 0
// JSON: j["verdict"] == "passed" and any("std::lock" in note for note in j["notes"])
// RUN: %heddle run --json %t.json %t same
// EXIT: 0
// JSON: j["verdict"] == "passed" and not j["notes"]
// RUN: %heddle run --json %t.json %t own
// EXIT: 1
// JSON: j["failures"][0]["kind"] == "livelock" and j["failures"][0]["location"].startswith("std_lock.cc:")
// RUN: %heddle run --strategy dfs --reduce dpor --json %t.json %t around
// EXIT: 1
// JSON: j["failures"][0]["kind"] == "livelock"
#include <mutex>
#include <string_view>
#include <thread>

std::mutex one, another;
int total;

void scoped(std::mutex& a, std::mutex& b) {
  std::scoped_lock both(a, b);
  ++total;
}

void unique(std::mutex& a, std::mutex& b) {
  std::unique_lock first(a, std::defer_lock), second(b, std::defer_lock);
  std::lock(first, second);
  ++total;
}

void own(std::mutex& a, std::mutex& b) {
  for (;;) {
    std::unique_lock first(a);
    if (b.try_lock()) break;
    first.unlock();
    std::this_thread::yield();
  }
  ++total;
  b.unlock();
}

// std::try_lock gives up; to try again is the program's own decision.
void around(std::mutex& a, std::mutex& b) {
  while (std::try_lock(a, b) != -1) std::this_thread::yield();
  ++total;
  a.unlock();
  b.unlock();
}

int main(int argc, char** argv) {
  std::string_view what = argc > 1 ? argv[1] : "";
  auto* function = what == "unique"   ? unique
                   : what == "own"    ? own
                   : what == "around" ? around
                                      : scoped;
  std::thread other([&] { what == "same" ? function(one, another) : function(another, one); });
  function(one, another);
  other.join();
  return total == 2 ? 0 : 1;
}
