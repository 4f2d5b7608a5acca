// The message is found where std::exception is not the first base, and a type without one is named.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --keep-going --json %t.json %t
// EXIT: 1
// OUT: uncaught exception Error: deep
// OUT: uncaught exception of type int
// JSON: [f["kind"] for f in j["failures"]] == ["exception", "exception"]
#include <heddle/heddle.h>

#include <stdexcept>
#include <thread>
struct Base {
  virtual ~Base() = default;
  int content = 0;
};
struct Error : Base, std::runtime_error {
  Error() : std::runtime_error("deep") {}
};
int main() {
  if (heddle::choose(2) == 0) throw Error();
  throw 5;
}
