// Pieces of help that --help, man pages and completions have in common; all from the option table.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "options/options.h"

namespace heddle::cli {

// The text, broken into lines; those behind the first begin in column `indent`.
std::string wrapped(std::string_view text, size_t indent);

std::string option_name(const options::OptionRecord& record);  // "--seed N"
// What it means, with its default.
std::string explanation(const options::OptionRecord& record, unsigned verb);
// A line of help, or several.
std::string option_line(const options::OptionRecord& record, const std::string& text);
// The first words of it, for a list: "stop after N executions".
std::string brief(const options::OptionRecord& record);

// The options of a verb (or of several) under one heading of the table.
struct Topic {
  std::string name;  // what stands behind `heddle help`: "bounds"
  const char* heading;
  std::vector<const options::OptionRecord*> options;
};
std::vector<Topic> topics(unsigned verbs);

// As --help shows them: those of a verb that has many by topic, with the usual ones first.
std::string option_help(unsigned verb);

}  // namespace heddle::cli
