// A line of the source, as people and compilers write it, and its code.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "trace/evidence.h"
#include "wire/places.h"

namespace heddle::trace {

struct SourceLine {
  std::string file;  // or the end of its path: whole names of folders and of the file
  int line = 0;
  int column = 0;  // 0: all of it
};

// "queue.h:41", "src/queue.h:41:7"; nullopt: it is no line.
std::optional<SourceLine> parse_source_line(const std::string& text);

struct LineCode {
  std::vector<wire::Stretch> code;  // in instrumented modules; empty: there is none
  bool has_file = false;            // some line of the file has code
  int nearest = 0;                  // line that has; 0: none
  std::vector<int> columns;         // of the line that was asked for, if that one has none
};
// Whether anything can be seen in a stretch of code. Empty: in all of them.
using Seen = std::function<bool(const wire::Stretch& stretch)>;
// A line of which nothing can be seen is as one that has no code.
LineCode find_line(const Modules& modules, const SourceLine& line, const Seen& seen = {});

}  // namespace heddle::trace
