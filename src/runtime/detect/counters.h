// Counters of gcov (--coverage): plain variables that GCC increments in every function, and that
// it has instrumented as if they were the program's. Threads lose counts there, and nothing else:
// it is no race of the program.
#pragma once

#include <cstdint>

namespace heddle::runtime {

// By the symbol table of the module; slow, but for addresses that were asked for before.
bool is_coverage_counter(uint64_t address);

}  // namespace heddle::runtime
