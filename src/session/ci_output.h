// What CI systems are told: --junit, --sarif, --annotations.
#pragma once

#include "options/options.h"
#include "report/tests.h"

namespace heddle::session {

// First before the search, so that a file that cannot be written is told at once. Throws UserError.
void check_ci_files(const Options& options);

// Writes the files that are asked for. Throws UserError.
void write_ci_files(const Options& options, report::Tests tests);
// To standard error: GitHub reads both streams.
void write_annotations(const Options& options, report::Tests tests);

// "2024-03-01T12:00:00": now, in UTC.
std::string timestamp();

}  // namespace heddle::session
