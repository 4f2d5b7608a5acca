// Finds inline assembly that touches memory in what a compiler hands to the assembler: no hook sees
// what it reads, writes or orders.
//
// GCC and Clang put it between #APP and #NO_APP. So what is found is in the program, whichever
// header it comes from, and nothing that was never used is. Excepted are instructions that only
// look as if (nop, lea, prefetch), fences and hints, the function's own stack, thread-local
// variables by their segment, and jumps.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heddle::wrap {

// "queue.h:41", each once, in the order of the text. Without a line, where the compiler names none:
// Clang does only with -g; then the function is named.
std::vector<std::string> assembly_places(std::string_view text);

// One statement, without its label, in AT&T syntax or in Intel's.
bool touches_memory(std::string_view statement, bool intel_syntax, bool has_frame_pointer);

}  // namespace heddle::wrap
