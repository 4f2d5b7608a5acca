// Places that a test script waits for, from what it calls them to code.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <map>

#include "base/error.h"
#include "symbols/module_file.h"
#include "symbols/name_pattern.h"
#include "symbols/symbols.h"
#include "trace/focus.h"

namespace heddle::trace {

namespace {

using symbols::ModuleFile;

struct Line {
  std::string file;
  int number = 0;
};

// "queue.h:41". Throws UserError.
Line parse_line(const std::string& text) {
  Line line;
  size_t colon = text.rfind(':');
  const char* end = text.data() + text.size();
  const char* digits = text.data() + std::min(text.size(), colon + 1);
  auto [rest, error] = std::from_chars(digits, end, line.number);
  if (colon == std::string::npos || colon == 0 || error != std::errc() || rest != end) {
    throw UserError(fmt::format(
        "until(at(\"{}\")): a place is a file and a line, e.g. at(\"queue.h:41\")", text));
  }
  line.file = text.substr(0, colon);
  return line;
}

// Whether a path ends with what was typed: whole names of folders and of the file.
bool is_file(const std::string& path, const std::string& typed) {
  if (!path.ends_with(typed)) return false;
  return path.size() == typed.size() || typed.front() == '/' ||
         path[path.size() - typed.size() - 1] == '/';
}

void find_line(const Modules& modules, ScriptPlace* place) {
  Line line = parse_line(place->text);
  std::map<int, std::string> others;  // lines of that file that have code
  symbols::Symbols symbols(modules);
  for (const symbols::Symbols::Loaded& module : symbols.loaded()) {
    if (!module.instrumented) continue;
    module.file->for_each_line(
        [&](const std::string& path, int number, const ModuleFile::Stretch& stretch) {
          if (!is_file(path, line.file)) return;
          others.emplace(number, path);
          if (number != line.number) return;
          place->code.push_back({module.name, stretch.begin, stretch.end, 0, 0});
        });
  }
  if (!place->code.empty()) return;
  if (others.empty()) {
    throw UserError(fmt::format("until(at(\"{}\")): the program has no code of a file {}",
                                place->text, line.file));
  }
  auto after = others.lower_bound(line.number);
  if (after == others.end()) --after;
  throw UserError(
      fmt::format("until(at(\"{}\")): there is no code on that line; the next that has "
                  "some: at(\"{}:{}\")",
                  place->text, line.file, after->first));
}

}  // namespace

ScriptPlace find_script_place(const Modules& modules, const wire::ScriptPlace& wanted) {
  ScriptPlace place;
  place.text.assign(wanted.text, strnlen(wanted.text, sizeof wanted.text));
  place.is_line = wanted.is_line != 0;
  if (place.is_line) {
    find_line(modules, &place);
    return place;
  }
  Found found = find_functions(modules, place.text, &place.code);
  if (found.found) return place;
  if (!found.elsewhere.empty()) {
    throw UserError(
        fmt::format("the script waits for the function '{}', which is in {}: that was not built "
                    "with heddle-c++, and what happens there is not seen",
                    place.text, found.elsewhere));
  }
  throw UserError(
      fmt::format("the script waits for the function '{}', and the program has none "
                  "of that name",
                  place.text));
}

}  // namespace heddle::trace
