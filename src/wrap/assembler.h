// The wrapper as the assembler: the compiler finds it under the name heddle-as, by -B. It looks for
// inline assembly that touches memory, says where it is, has it recorded in the object file for the
// report of a run, and becomes the assembler proper.
#pragma once

#include <string>
#include <vector>

namespace heddle::wrap {

// The assembler proper: the first on the PATH that is not this program. Empty if there is none.
std::string find_assembler();

// Becomes it. Returns only if that fails, with the exit code.
int assemble(const std::vector<std::string>& arguments);

}  // namespace heddle::wrap
