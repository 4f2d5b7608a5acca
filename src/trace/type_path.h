// The way into an object of a given type.
#pragma once

#include <elfutils/libdw.h>

#include <cstdint>
#include <string>

namespace heddle::trace {

// From the start of an object of `type` to the byte at `offset` in it: "[1].owner", ".size+4", or
// "".
std::string path_into(Dwarf_Die type, uint64_t offset);

}  // namespace heddle::trace
