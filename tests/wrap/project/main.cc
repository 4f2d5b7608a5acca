#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include "counter.h"

#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

std::string describe(int value);

int main() {
  std::vector<std::thread> threads;
  for (int i = 1; i <= 3; ++i) threads.emplace_back([i] { counter_add(i); });
  for (std::thread& thread : threads) thread.join();
  std::cout << describe(counter_value()) << '\n';
  return counter_value() == 6 ? 0 : 1;
}
