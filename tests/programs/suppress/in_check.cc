// --suppress in HEDDLE_OPTIONS and in heddle::Options.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %t
// EXIT: 1
// RUN: echo 'race:count' > known && HEDDLE_OPTIONS="--suppress known" %t
// RUN: %t known
// RUN: %t missing
// EXIT: 2
// OUT: missing
#include <heddle/heddle.h>

#include <cstdio>
#include <exception>
#include <thread>

int hits;
void count() { ++hits; }

int main(int argc, char** argv) {
  heddle::Options options;
  if (argc > 1) options.suppress(argv[1]);
  auto test = [] {
    std::thread other(count);
    count();
    other.join();
  };
  try {
    return heddle::check(test, options).ok() ? 0 : 1;
  } catch (const std::exception& error) {
    std::puts(error.what());
    return 2;
  }
}
