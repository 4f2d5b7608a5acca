// RUN: %cxx -std=c++20 -O0 -g %s -o %t
// RUN: %heddle run --json %t.json %t
// EXIT: 1
// OUT: stack is exhausted
// OUT: recurse
// JSON: j["failures"][0]["kind"] == "crash"
#include <thread>
int recurse(int n) {
  char room[1000];
  room[n % 1000] = 1;
  return recurse(n + 1) + room[0];
}
int main() {
  std::thread([] { recurse(0); }).join();
}
