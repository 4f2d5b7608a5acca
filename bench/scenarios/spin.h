// What the code of this folder does in a loop that waits for another thread.
#pragma once

#include <heddle/yield.h>

#include <thread>

inline void spin() {
  HEDDLE_YIELD("spins");
  std::this_thread::yield();
}
