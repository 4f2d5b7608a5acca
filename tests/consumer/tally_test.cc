// A plain program, for heddle run. With an argument it uses what is wrong.
#include "tally.h"

#include <cstdio>
#include <cstdlib>
#include <thread>

int main(int argc, char**) {
  Tally tally;
  auto add = [&] { argc > 1 ? tally.add_two_steps() : tally.add(); };
  std::thread other(add);
  add();
  other.join();
  if (tally.value() != 2) std::abort();
}
