// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --json %t.json %t
// EXIT: 1
// OUT: abort
// JSON: j["failures"][0]["kind"] == "assertion" and j["failures"][0]["location"] == "abort.cc:12"
#include <cstdlib>
#include <thread>

void give_up() {
  volatile bool hopeless = true;

  if (hopeless) std::abort();
}

int main() { std::thread(give_up).join(); }
