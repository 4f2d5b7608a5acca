// What the wrappers know about the options of GCC and Clang: just enough to tell files from the
// arguments of options, and to see whether a command links.
#pragma once

#include <string_view>

namespace heddle::wrap {

// "-o name": the word after this one belongs to it, and is no input.
bool takes_next_word(std::string_view option);

// "-c", "-E", "-MM", …: the compiler stops before it would link.
bool stops_before_link(std::string_view option);

// "-Wl,-r" and the like, as the linker spells them: the output is an object file again.
bool makes_relocatable(std::string_view linker_option);

// A header given as input is precompiled; nothing is linked. `language` is that of -x, or empty.
bool is_header(std::string_view path, std::string_view language);

bool is_assembly(std::string_view path, std::string_view language);

// "address", "memory", …: sanitizers whose runtime replaces what Heddle replaces.
bool is_conflicting_sanitizer(std::string_view name);

}  // namespace heddle::wrap
