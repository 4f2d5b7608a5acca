// A livelock is proved in heddle::check too, in every search of the process: what the engine has
// mapped for itself there is not the program's memory.
// COMPILERS: gcc clang
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %t
// EXIT: 1
// OUT: search 1: livelock
// OUT: search 2: livelock
#include <heddle/heddle.h>

#include <atomic>
#include <cstdio>
#include <thread>

// Two polite threads, each of which gives way to the other for ever.
void polite() {
  std::atomic<bool> wants[2] = {false, false};
  auto enter = [&](int self) {
    for (;;) {
      wants[self] = true;
      if (!wants[1 - self]) break;
      wants[self] = false;
      std::this_thread::yield();
    }
    wants[self] = false;
  };
  std::thread other(enter, 1);
  enter(0);
  other.join();
}

int main() {
  int code = 0;
  for (int i = 0; i < 2; ++i) {
    heddle::Options options;
    options.seconds(60);
    heddle::Report report = heddle::check(polite, options);
    for (const heddle::Failure& failure : report.failures()) {
      std::printf("search %d: %s\n", i + 1, failure.kind.c_str());
    }
    code = report.exit_code();
  }
  return code;
}
