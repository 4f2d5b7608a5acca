// A std::thread that is destroyed, or assigned to, while it is joinable calls std::terminate.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --json %t.json %t destroyed
// EXIT: 1
// OUT: main has called std::terminate: a joinable std::thread was destroyed, or assigned to .T2 is
// JSON: j["failures"][0]["kind"] == "misuse"
// RUN: %heddle run --json %t.json %t assigned
// EXIT: 1
// OUT: main has called std::terminate: a joinable std::thread was destroyed, or assigned to .T2 is
// JSON: j["failures"][0]["kind"] == "misuse"
// RUN: %heddle run --json %t.json %t unwound
// EXIT: 1
// OUT: main has called std::terminate: a joinable std::thread was destroyed, or assigned to .T2 is
// JSON: j["failures"][0]["kind"] == "misuse"
// Without such a thread a call of std::terminate is what it is.
// RUN: %heddle run --json %t.json %t terminate
// EXIT: 1
// OUT: std::terminate was called without an exception
// JSON: j["failures"][0]["kind"] == "exception"
#include <exception>
#include <stdexcept>
#include <string>
#include <thread>

void unwound() {
  try {
    std::thread forgotten([] {});
    throw std::runtime_error("on the way");
  } catch (const std::exception&) {
  }
}

int main(int, char** arguments) {
  std::string which = arguments[1];
  std::thread([] {}).join();
  if (which == "destroyed") std::thread forgotten([] {});
  if (which == "unwound") unwound();
  if (which == "terminate") std::terminate();
  if (which == "assigned") {
    std::thread thread([] {});
    thread = std::thread([] {});
    thread.join();
  }
}
