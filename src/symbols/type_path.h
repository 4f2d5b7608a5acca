// The way into an object of a given type.
#pragma once

#include <elfutils/libdw.h>

#include <cstdint>
#include <string>

namespace heddle::symbols {

// What the name of an address is to say, if an object and its first member both begin there.
enum class Aim { part, whole };

// From the start of an object of `type` to the byte at `offset` in it: "[1].owner", ".size+4"; may
// be empty.
std::string path_into(Dwarf_Die type, uint64_t offset, Aim aim);

}  // namespace heddle::symbols
