// What the function of heddle::state allocates is not from the program's heap: blocks have the
// addresses that they have without it. Nor is it a step, a race or a leak.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --strategy dfs --show-output --leaks --executions 1 %t > plain
// RUN: %heddle run --strategy dfs --show-output --leaks --executions 1 %t state > declared
// RUN: grep ^block plain > 1; grep ^block declared > 2; cmp 1 2; wc -l < 1
// OUT: ^20\n
// RUN: %heddle run --strategy dfs --leaks --json - %t
// JSON: j["executions"] == 1 and j["coverage"]["states"] is None
// RUN: %heddle run --strategy dfs --leaks --json - %t state
// JSON: j["executions"] == 1 and j["coverage"]["states"] == 21
#include <heddle/heddle.h>

#include <cstdio>
#include <list>
#include <string>
#include <thread>

std::list<std::string> blocks;

int main(int argc, char**) {
  if (argc > 1) heddle::state([] { return std::list<std::string>(blocks); });
  std::thread other([] {
    for (int i = 0; i < 20; ++i) {
      blocks.push_back(std::string(100, 'x'));
      std::printf("block %p\n", static_cast<void*>(blocks.back().data()));
      std::this_thread::yield();
    }
  });
  other.join();
  blocks.clear();
}
