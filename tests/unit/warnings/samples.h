// Reports of the tools themselves: those of bench/guided/warnings, which are all about threads, and
// those of tests/warnings, which have more.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "warnings/read.h"

namespace heddle::warnings {

inline const std::string kCorpus = HEDDLE_SOURCE_DIR "/bench/guided/warnings/";
inline const std::string kSamples = HEDDLE_SOURCE_DIR "/tests/warnings/";

inline std::string text_of(const std::string& path) {
  std::ifstream in(path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

inline Reading sample(const std::string& name) { return read_report(kSamples + name); }
inline Reading corpus(const std::string& name) { return read_report(kCorpus + "reports/" + name); }

// The paths of all of them, in an order that does not depend on the machine.
inline std::vector<std::string> all_reports() {
  std::vector<std::string> paths;
  for (const std::string& folder : {kCorpus + "reports/", kSamples}) {
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      if (entry.path().extension() != ".cc") paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

// "a.cc:1 a.cc:2": lines only.
inline std::string lines_of(const std::vector<Location>& places) {
  std::string text;
  for (const Location& place : places) {
    if (!text.empty()) text += " ";
    text += place.file + ":" + std::to_string(place.line);
  }
  return text;
}

inline std::vector<std::string> sequences_as_text(const Warning& warning) {
  std::vector<std::string> all;
  for (const Sequence& sequence : warning.sequences) all.push_back(lines_of(sequence));
  return all;
}

}  // namespace heddle::warnings
