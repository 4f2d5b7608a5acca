// What is tested: how to start it, and how a schedule file names it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "options/options.h"
#include "pool/settings.h"
#include "session/program.h"
#include "trace/schedule_file.h"

namespace heddle::session {

struct Subject {
  std::vector<std::string> command;  // as typed
  std::string path;                  // of the program, absolute
  std::string directory;             // in which it is run, absolute
  std::optional<uint32_t> check;     // which heddle::check of the process, from 1
  std::string test;                  // the one of its tests that is run; empty: no single one
  std::string label;                 // in front of the status line: "test 3 of 20: Stock.Small"
  pool::Launch launch;
};

// Whether a schedule of it is replayed only with --trust: the program was not built with the
// wrappers, or is not in the current directory or below.
bool needs_trust(const Subject& subject);

// A program of its own, run in `directory` (empty: this one).
Subject subject_of(const Program& program, const std::string& directory);

pool::Settings settings_of(const Options& options);

inline constexpr char kSearchSuffix[] = ".search";
inline constexpr char kPartSuffix[] = ".part";

// "heddle-out/philosophers", as long as no other process writes files of that name; else one of our
// own, which stays the same. Asked when something is to be written.
std::string own_stem(const std::string& stem);

// "heddle-out/philosophers-1.heddle"; for a file that is to be written.
std::string schedule_path(const Subject& subject, const Options& options, size_t number);

// "heddle-out/philosophers.search"
std::string saved_search_path(const Subject& subject, const Options& options);

// "heddle-out/philosophers.2of3.part": of one of several parts of a search.
std::string part_path(const Subject& subject, const Options& options);

// All of a schedule file but what comes from the finding.
void describe_subject(const Subject& subject, const Options& options, trace::ScheduleFile* file);

// The name by which the program was called when the schedule was made; `otherwise` if the file has
// none. It is kept as an option of the file, since it shapes the execution: programs copy it to
// their heap.
inline constexpr char kNameOption[] = "name";
std::string recorded_name(const trace::ScheduleFile& file, const std::string& otherwise);

}  // namespace heddle::session
