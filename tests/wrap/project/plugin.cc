// A shared library of its own, linked to the program.
#include <atomic>
#include <string>

static std::atomic<int> calls{0};

std::string describe(int value) {
  calls.fetch_add(1);
  return "value " + std::to_string(value) + " calls " + std::to_string(calls.load());
}
