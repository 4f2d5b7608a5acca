// Warnings of compilers and linters: a place, a message, a rule, and notes.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "warnings/read.h"

namespace heddle::warnings {

struct Note {
  Location where;
  std::string message;
};

struct Diagnostic {
  Location where;
  std::string severity;  // "warning", "error", "style"
  std::string message;
  std::string
      rule;  // "core.NullDereference", "nullPointer", "-Wthread-safety-analysis"; may be empty
  uint32_t line = 0;
  std::vector<Note> notes;  // in the order of the path that leads there
};

// What a rule of clang-tidy, of the analyzer or of cppcheck is about; where the rule does not say,
// the message does. nullopt: not about threads, nor about something that a schedule leads to.
std::optional<Kind> kind_of(const Diagnostic& diagnostic);

// A check of clang-tidy, the analyzer or cppcheck, or something of a leak: if kind_of does not know
// it, it is of no use.
bool is_other_check(std::string_view rule);

// The same by words alone: what a tool says of which nothing is known.
std::optional<Kind> kind_of_words(std::string_view text);

// A sequence for a warning that has one place of its own, and notes: where the null pointer comes
// from, where memory is freed, where the lock is taken.
std::vector<Sequence> sequences_of(Kind kind, const Location& where,
                                   const std::vector<Note>& notes);

// Adds all of them to the reading; those on the same variable are paired with each other.
void judge_diagnostics(const std::vector<Diagnostic>& all, Reading* reading);

}  // namespace heddle::warnings
