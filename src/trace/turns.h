// An execution as turns: what one thread does at a stretch, and where it is left so that another
// goes on. From them scripts are made that lead a program along the same interleaving.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "trace/finding.h"

namespace heddle::trace {

inline constexpr size_t kMaxTurns = 1000;

// What an operation does to its object, as far as scripts can name it.
enum class Deed : uint8_t { other, locks, unlocks, waits, reads, writes, updates };
Deed deed_of(wire::Op op);

struct TurnsInput {
  std::span<const wire::Step> steps;           // all of the execution
  const Finding* finding;                      // kind, threads and cycle are known already
  std::function<DetailedStep(size_t)> detail;  // of a step
};

// Of an execution with a cycle, up to the end of the first round; a turn begins where the cycle
// does. Empty: there are more than kMaxTurns.
std::vector<Turn> turns_of(const TurnsInput& input);

}  // namespace heddle::trace
