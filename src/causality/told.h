// What a worker has told of an execution (lessons.h), as the engine reads it: checked, since the
// program under test may have written over it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "wire/lessons.h"

namespace heddle::causality {

struct Told {
  wire::Lessons head;
  std::span<const wire::Choice> choices;
  std::span<const wire::Reversal> reversals;
  std::span<const wire::Wish> wishes;  // of the reversals, in their order
};

// nullopt: it has not the form, or speaks of steps or threads that the execution has not.
std::optional<Told> read_told(std::span<const char> bytes, const wire::Result& result);

}  // namespace heddle::causality
