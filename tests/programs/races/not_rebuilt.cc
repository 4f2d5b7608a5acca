// What a library orders that was not rebuilt is not seen: a race that it takes part in says so, and
// so does a thread that spins in it. The name can be suppressed.
// RUN: %cxx --version > /dev/null
// RUN: gcc -O1 -fPIC -shared %S/inputs/baton.c -o libbaton.so
// RUN: %cxx -std=c++20 -O1 -g %s -o %t ./libbaton.so
// RUN: %t called
// RUN: %heddle run --json %t.json %t called
// EXIT: 1
// OUT: note: libbaton.so was not rebuilt: what it orders is not seen, so this need not be a race
// JSON: j["failures"][0]["kind"] == "data-race" and "data-race:libbaton.so" in j["failures"][0]["note"]
// RUN: echo data-race:libbaton.so > known && %heddle run --suppress known --json %t.json %t called
// OUT: suppressed: data-race at not_rebuilt.cc:44, by known:1
// OUT: ^passed: .* 1 failure suppressed
// JSON: j["verdict"] == "passed" and [s["by"] for s in j["suppressed"]] == ["known:1"]
// Where the library has no part in it, nothing is said of it.
// RUN: %heddle run --json %t.json %t own
// EXIT: 1
// NOT: not rebuilt
// JSON: j["failures"][0]["kind"] == "data-race" and j["failures"][0]["note"] is None
// RUN: %heddle run --hang-after 0.5 --json %t.json %t spin
// EXIT: 1
// OUT: FAILED  hang in main at not_rebuilt.cc:54
// OUT: note: libbaton.so was not rebuilt: its atomics are not seen
#include <cassert>
#include <string>
#include <thread>

extern "C" {
void baton_pass();
int baton_taken();
void baton_call(void (*function)());
void baton_spin();
}

int message;

// The order is right: whoever sees the baton also sees the message.
void called() {
  std::thread writer([] {
    baton_call([] { message = 1; });
    baton_pass();
  });
  std::this_thread::yield();
  if (baton_taken() != 0) assert(message == 1);
  writer.join();
}

void own() {
  std::thread writer([] { message = 1; });
  assert(message < 2);
  writer.join();
}

void spin() { baton_spin(); }

int main(int, char** argv) {
  std::string what = argv[1];
  if (what == "called") called();
  if (what == "own") own();
  if (what == "spin") spin();
}
