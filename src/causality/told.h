// What a worker has told of an execution (wire/lessons.h, wire/prospects.h), as the engine reads
// it: checked, since the program under test may have written over it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "wire/lessons.h"
#include "wire/prospects.h"

namespace heddle::causality {

struct ToldLessons {
  wire::Lessons head;
  std::span<const wire::Choice> choices;
  std::span<const wire::Reversal> reversals;
  std::span<const wire::Wish> wishes;  // of the reversals, in their order
};

struct ToldProspects {
  wire::Prospects head;
  std::span<const wire::Prospect> forks;
  std::span<const wire::Way> ways;  // of the forks, in their order
};

// nullopt: it has not the form, or speaks of steps or threads that the execution has not.
std::optional<ToldLessons> read_lessons(std::span<const char> bytes, const wire::Result& result);
std::optional<ToldProspects> read_prospects(std::span<const char> bytes,
                                            const wire::Result& result);

// Whether what a result says it was told can be read.
bool can_be_read(std::span<const char> bytes, const wire::Result& result);

}  // namespace heddle::causality
