// The worker: runs jobs, one execution each, and the nursery that gives birth to it. See
// wire/layout.h for the protocol.
#pragma once

#include "runtime/runtime.h"

namespace heddle::runtime {

// The test: `main` with its arguments, or the callable of heddle::check.
struct Test {
  int (*main)(int, char**, char**);
  int argc;
  char** argv;
  char** environment;
  void (*function)(void*);  // instead of main, if not null
  void* argument;
};

// Attaches to the region behind the descriptor; null if it is not one of ours.
wire::Region* attach(int fd);

// Gives birth to workers until the engine says stop. The calling process is the nursery.
[[noreturn]] void serve(const Test& test);

}  // namespace heddle::runtime
