// One function for each format. They add to the reading, and never throw for what they do not
// understand, but for documents that do not parse as a whole (UserError).
#pragma once

#include <string_view>

#include "warnings/read.h"

namespace heddle::warnings {

void read_tsan(std::string_view text, Reading* reading);
void read_helgrind(std::string_view text, Reading* reading);
// Warnings of compilers and linters, a line each: Clang, clang-tidy, cppcheck.
void read_diagnostics(std::string_view text, Reading* reading);
// The document's root says which tool it is of.
void read_xml(std::string_view text, Reading* reading);
void read_sarif(std::string_view text, Reading* reading);

// Adds the warning; one that says the same as another becomes a repeat of it.
void add_warning(Warning warning, Reading* reading);

}  // namespace heddle::warnings
