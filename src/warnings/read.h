// Reports of other tools: ThreadSanitizer, Helgrind (text and XML), Clang's thread-safety analysis,
// clang-tidy, cppcheck (text and XML), and whatever writes SARIF.
#pragma once

#include <string>
#include <vector>

#include "warnings/warning.h"

namespace heddle::warnings {

struct Reading {
  std::string format;  // "ThreadSanitizer", "Helgrind's XML": for people
  std::vector<Warning> warnings;
  // What could not be read, or cannot be used, each with its line in the report and why: "line 12:
  // thread leak: it has happened already; no schedule is to be looked for".
  std::vector<std::string> unread;
};

// Finds out the format itself. Throws UserError for a file that cannot be read, is empty, is broken
// as a whole (JSON and XML that do not parse), or is of no known format.
Reading read_report(const std::string& path);

// The same of text; the name is for messages.
Reading read_text(const std::string& text, const std::string& name);

}  // namespace heddle::warnings
