// The calling process has another thread: its forked copy would not have it. And a bad option: both
// are said.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %t
// OUT: ^2 .*thread
// OUT: ^bad option .*preemptions
#include <heddle/heddle.h>

#include <algorithm>
#include <cstdio>
#include <mutex>
#include <stdexcept>
#include <thread>
int main() {
  std::mutex gate;
  gate.lock();
  std::thread other([&] { gate.lock(); });
  heddle::Report report = heddle::check([] {}, heddle::Options{}.quiet());
  std::string text = report.text();
  std::replace(text.begin(), text.end(), '\n', ' ');
  std::printf("%d %s\n", report.exit_code(), text.c_str());
  gate.unlock();
  other.join();
  try {
    heddle::check([] {}, heddle::Options{}.set("preemptions", "many").quiet());
  } catch (const std::invalid_argument& error) {
    std::printf("bad option %s\n", error.what());
  }
}
