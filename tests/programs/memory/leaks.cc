// With --leaks an execution has to free what it has allocated. In one of the two orders this one
// does not.
// COMPILERS: gcc clang
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run %t
// RUN: %heddle run --leaks --preemptions 0 %t
// RUN: %heddle run --leaks --json %t.json --out %t.out %t
// EXIT: 1
// OUT: leak in main at leaks.cc:30
// OUT: 1 block, 4 bytes in all, allocated and never freed
// OUT: a block of 4 bytes, allocated by T[12]
// JSON: j["failures"][0]["kind"] == "leak" and j["failures"][0]["location"] == "leaks.cc:30"
// RUN: %heddle replay %t.out/*-1.heddle
// EXIT: 1
// RUN: %heddle run --leaks --isolation fork --preemptions 0 %t
// RUN: %heddle run --leaks --isolation fork --json %t.json %t
// EXIT: 1
// JSON: j["failures"][0]["message"].startswith("1 block, 4 bytes in all")
// RUN: %heddle run --leaks %t statics
// RUN: %heddle run --leaks %t exit-early
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
std::atomic<int*> made;
std::string* early = new std::string("of before main");  // not this execution's
void make_once() {
  if (made.load() != nullptr) return;
  int* mine = new int(1);
  made.store(mine);
}
int main(int count, char** arguments) {
  if (count > 1 && strcmp(arguments[1], "statics") == 0) {
    static std::string text = "freed by its destructor, after main has returned";
    return 0;
  }
  if (count > 1) {
    // Its thread is still about: what it has is no leak.
    std::thread([] { std::string text(100, 'x'); }).detach();
    return 0;
  }
  std::thread first(make_once), second(make_once);
  first.join();
  second.join();
  delete made.load();
}
