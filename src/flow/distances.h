// How far it is from the places at which a thread can stand to places that it is to come to.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "flow/program_graph.h"

namespace heddle::flow {

inline constexpr uint32_t kNever = 0xffffffff;

// A stretch of code [begin, end); a target is a set of them, since a source line may have several.
struct Range {
  uint64_t begin;
  uint64_t end;
};
using Target = std::vector<Range>;

// What is counted on a way: all instructions, or those that call. An instruction is counted when it
// is left behind: from a place in the target itself it is 0. A function of another module counts
// nothing but the call; the way to a function whose address is taken counts one more than the
// instruction that takes it.
enum class Unit { instructions, calls };

// A table with a row for each function's entry and for each return address, that is, the address
// behind a call. It is flat, so that it can be copied to where it is needed.
//
// A row has 2 + targets words:
//   its place: for an entry, the address; for a return address, the one before it, which is the
//     last byte of the call (a call at the end of its function has the next function's entry behind
//     it)
//   out: the shortest way to a return of the function, the return included; kNever if there is none
//   for each target, toward: the shortest way into it, through functions that are called, or into
//     them, but without a return to the caller; kNever if there is none
// Rows are in the order of their places.
struct Distances {
  size_t targets = 0;
  std::vector<uint32_t> words;

  size_t width() const { return 2 + targets; }
  size_t rows() const { return words.size() / width(); }
  const uint32_t* row(size_t number) const { return words.data() + number * width(); }
  // Null if there is none.
  const uint32_t* find(uint64_t place) const;
};

Distances distances(const ProgramGraph& program, std::span<const Target> targets,
                    Unit unit = Unit::instructions);

// With a stack of places as in the rows, innermost first: the least, over all frames k, of
// out(0) + … + out(k-1) + toward(k). A place that has no row, which is in another module, is left
// by one instruction and is near to nothing.
uint32_t distance(const Distances& table, size_t target, std::span<const uint64_t> stack);

}  // namespace heddle::flow
