// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --json %t.json %t
// EXIT: 1
// OUT: std::terminate
// JSON: j["failures"][0]["kind"] == "exception"
#include <thread>
int main() {
  std::thread forgotten([] {});
}
