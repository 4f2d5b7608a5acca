// Small programs that use the primitives of C++20's library, and print what they saw. The first
// argument says which is to run, the second how often.
#include "atomics.h"
#include "conditions.h"
#include "descriptors.h"
#include "futures.h"
#include "locks.h"
#include "posix.h"
#include "stop.h"
#include "synchronisers.h"

int main(int count, char** arguments) {
  if (count < 2) return 2;
  int times = count > 2 ? std::atoi(arguments[2]) : 1;
  for (const outcomes::Program& program : outcomes::programs()) {
    if (std::strcmp(program.name, arguments[1]) != 0) continue;
    for (int i = 0; i < times; ++i) {
      outcomes::Results results(program.results);
      program.run(results);
      results.print();
    }
    return 0;
  }
  return 2;
}
