// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --json %t.json %t
// EXIT: 1
// OUT: status 3
// JSON: j["failures"][0]["kind"] == "exit" and j["failures"][0]["location"] == "exit_status.cc:9"
#include <atomic>
#include <thread>
std::atomic<int> value;
int main() {
  std::thread setter([] { value = 3; });
  int seen = value.load();
  setter.join();
  return seen;
}
