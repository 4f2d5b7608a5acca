#include "trace/source_line.h"

#include <charconv>
#include <cstdlib>
#include <set>

#include "symbols/module_file.h"
#include "symbols/symbols.h"

namespace heddle::trace {

namespace {

using symbols::ModuleFile;

// Takes ":41" off the end; nullopt: there is no such thing.
std::optional<int> take_number(std::string* text) {
  size_t colon = text->rfind(':');
  if (colon == std::string::npos || colon == 0) return std::nullopt;
  const char* end = text->data() + text->size();
  int number = 0;
  auto [rest, error] = std::from_chars(text->data() + colon + 1, end, number);
  if (error != std::errc() || rest != end || number <= 0) return std::nullopt;
  text->resize(colon);
  return number;
}

// Whether a path ends with what was typed: whole names of folders and of the file.
bool is_file(const std::string& path, std::string typed) {
  while (typed.starts_with("./")) typed.erase(0, 2);
  if (!path.ends_with(typed)) return false;
  return path.size() == typed.size() || typed.front() == '/' ||
         path[path.size() - typed.size() - 1] == '/';
}

}  // namespace

std::optional<SourceLine> parse_source_line(const std::string& text) {
  SourceLine line;
  line.file = text;
  std::optional<int> last = take_number(&line.file);
  if (!last) return std::nullopt;
  line.line = *last;
  if (std::optional<int> first = take_number(&line.file)) {
    line.line = *first;
    line.column = *last;
  }
  return line;
}

LineCode find_line(const Modules& modules, const SourceLine& line, const Seen& seen) {
  LineCode found;
  std::set<int> columns;
  symbols::Symbols symbols(modules);
  for (const symbols::Symbols::Loaded& module : symbols.loaded()) {
    if (!module.instrumented) continue;
    module.file->for_each_line(
        [&](const std::string& path, int number, const ModuleFile::Stretch& stretch) {
          if (!is_file(path, line.file)) return;
          found.has_file = true;
          wire::Stretch code{module.name, stretch.begin, stretch.end, 0, 0};
          if (seen && !seen(code)) return;
          int nearest = std::abs(found.nearest - line.line);
          if (found.nearest == 0 || std::abs(number - line.line) < nearest) found.nearest = number;
          if (number != line.line) return;
          columns.insert(stretch.column);
          if (line.column != 0 && stretch.column != line.column) return;
          found.code.push_back(code);
        });
  }
  columns.erase(0);
  found.columns.assign(columns.begin(), columns.end());
  return found;
}

}  // namespace heddle::trace
