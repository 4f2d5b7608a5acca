// Which modules were compiled by the wrappers. What others do, no hook sees.
#pragma once

#include <cstdint>

namespace heddle::runtime {

void note_instrumented(uint64_t pc);  // an address in such a module
bool is_instrumented(uint64_t pc);

}  // namespace heddle::runtime
