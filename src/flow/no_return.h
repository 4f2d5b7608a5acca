// Functions of libc, libstdc++ and the compilers' libraries that do not return to their caller.
#pragma once

#include <string_view>

namespace heddle::flow {

// By the linker's name.
bool returns_to_caller(std::string_view name);

}  // namespace heddle::flow
