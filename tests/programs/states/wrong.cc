// What goes wrong in the function of heddle::state is told as a failure of the execution.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run %t throws
// EXIT: 1
// OUT: FAILED  exception in main at wrong.cc:
// OUT: uncaught exception std::runtime_error: no state, in the function given to heddle::state
// RUN: %heddle run %t crashes
// EXIT: 1
// OUT: FAILED  crash in main at wrong.cc:
// OUT: SIGSEGV at address 0x8 \(a null pointer\), in the function given to heddle::state
// RUN: %heddle run %t aborts
// EXIT: 1
// OUT: FAILED  assertion in main at wrong.cc:
// OUT: abort was called, in the function given to heddle::state
// RUN: %heddle run --hang-after 0.2 %t hangs
// EXIT: 1
// OUT: FAILED  hang in main at wrong.cc:40
// OUT: in the function given to heddle::state
// RUN: %heddle run %t large
// OUT: 1 distinct state;
// RUN: %heddle run %t larger
// EXIT: 2
// OUT: heddle::state with 4097 bytes; 4096 are the most: give a hash of them
#include <heddle/heddle.h>

#include <atomic>
#include <cstdlib>
#include <stdexcept>
#include <string>

std::atomic<int> steps;
long* volatile nowhere;

int main(int, char** words) {
  std::string word = words[1];
  heddle::state([&] {
    if (word == "throws") throw std::runtime_error("no state");
    if (word == "crashes") return std::string(1, static_cast<char>(nowhere[1]));
    if (word == "aborts") std::abort();
    for (volatile bool hangs = word == "hangs"; hangs;) {
    }
    return std::string(word == "large" ? 4096 : word == "larger" ? 4097 : 1, 'x');
  });
  ++steps;
}
