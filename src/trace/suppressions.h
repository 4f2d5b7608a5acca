// Failures that are known, and are not to be told: lines of a file, "KIND:PATTERN".
//
// The syntax is that of ThreadSanitizer's suppressions, as far as it goes: a pattern is found
// anywhere in a name, `*` stands for anything, `^` and `$` for its ends; `race` is data-race. It is
// looked for in the functions, files and libraries of all frames of the failure, and in the name of
// the object that it is about. KIND is a kind of failure, or `*` for all.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trace/finding.h"

namespace heddle::trace {

struct Suppression {
  std::optional<wire::Failure> kind;  // none: any
  bool only_libraries = false;        // called_from_lib
  std::string pattern;
  std::string place;  // "known.txt:3"

  bool matches(const Finding& finding) const;
};

using Suppressions = std::vector<Suppression>;

// One line of the file. nullopt: a comment, or empty. Throws std::runtime_error: what is wrong.
std::optional<Suppression> parse_suppression(std::string_view line, std::string place);

// The first line that matches; null: none does.
const Suppression* suppression_of(const Suppressions& all, const Finding& finding);

// As above: "foo*bar" is anywhere in the text, "^foo$" is all of it.
bool pattern_matches(std::string_view pattern, std::string_view text);

}  // namespace heddle::trace
