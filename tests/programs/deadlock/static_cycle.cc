// Two function statics whose initialisers use each other: deadlock if two threads begin at
// different ends.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --preemptions 1 --json %t.json %t
// EXIT: 1
// OUT: deadlock
// JSON: j["failures"][0]["kind"] == "deadlock"
#include <thread>

struct First {
  First();
};
struct Second {
  Second();
};
First& first() {
  static First object;
  return object;
}
Second& second() {
  static Second object;
  return object;
}
thread_local bool inside;
First::First() {
  if (!inside) {
    inside = true;
    second();
  }
}
Second::Second() {
  if (!inside) {
    inside = true;
    first();
  }
}

int main() {
  std::thread other([] { first(); });
  second();
  other.join();
}
