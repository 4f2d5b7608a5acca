// Where a summary goes: the report to people, the JSON to its file.
#pragma once

#include <functional>
#include <string>

#include "options/options.h"
#include "report/summary.h"

namespace heddle::session {

// A file that an option asks for. First before the search, so that one that cannot be written is
// told at once. Both throw UserError.
void check_file(const char* option, const std::string& path);
void write_file(const char* option, const std::string& path, const std::string& text);

// The same of a file that may be -, standard output, or empty, none.
void check_output(const char* option, const std::string& path);
void write_output(const char* option, const std::string& path, const std::string& text);

// The same, if --json asks for one.
void check_json_file(const Options& options);

// What `json` makes, if --json asks for it. Throws UserError.
void write_json(const Options& options, const std::function<std::string()>& json);

// The report, and what else there is to say, to standard output; to standard error if the JSON
// or the list of executions goes there.
void print_report(const Options& options, const std::string& text);

// How the report is to look where it goes.
report::View report_view(const Options& options);
// The same for a text that somebody else prints, nobody knows where.
report::View plain_view(const Options& options);

}  // namespace heddle::session
