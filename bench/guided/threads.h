// The threads of a program: FIRST of one kind and SECOND of another, as the paper's parameters say;
// with main there is one more.
#pragma once

#include <thread>
#include <vector>

template <typename One, typename Other>
void run_threads(One one, Other other) {
  std::vector<std::thread> threads;
  for (int i = 0; i < FIRST; ++i) threads.emplace_back(one);
  for (int i = 0; i < SECOND; ++i) threads.emplace_back(other);
  for (std::thread& thread : threads) thread.join();
}
