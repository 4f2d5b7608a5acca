// Where the indirect jumps and calls of one function go, by what its registers hold: jump tables of
// GCC and Clang, functions of virtual tables.
//
// Values are followed along all ways through the function; where two ways meet with different ones,
// the value is not known. What is stored on the stack is forgotten.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "flow/decode.h"
#include "flow/image.h"

namespace heddle::flow {

struct Destination {
  uint64_t address = 0;  // of the transfer
  enum Kind : uint8_t {
    table,  // `targets`
    slot,   // the functions at `slot` in virtual tables
    any,    // the functions whose address is taken
    slot_or_any
  } kind = any;
  uint64_t slots = 0;  // a bit for each
  std::vector<uint64_t> targets{};
};

// The entries of the jump table at `address`, which the function's jumps may use.
using ReadTable = std::function<std::vector<uint64_t>(uint64_t address, bool relative)>;

// Whether a call may come back.
using Returns = std::function<bool(const Instruction& call)>;

// `code` is that of a whole function, in order, decoded with effects.
std::vector<Destination> find_destinations(std::span<const Instruction> code,
                                           const ReadTable& read_table, const Returns& returns);

}  // namespace heddle::flow
