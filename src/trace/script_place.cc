// Places that a test script waits for, from what it calls them to code.
#include <fmt/format.h>

#include <cstring>
#include <optional>

#include "base/error.h"
#include "symbols/nearest.h"
#include "symbols/symbols.h"
#include "trace/focus.h"
#include "trace/source_line.h"

namespace heddle::trace {

namespace {

// "queue_test.cc:12: "; empty: not known.
std::string line_of_transfer(const Evidence& evidence) {
  if (evidence.result.pc == 0) return "";
  symbols::CallStack stack = symbols::Symbols(evidence.modules).places(evidence.result.pc);
  const symbols::Place* place = symbols::user_place(stack);
  return place != nullptr ? symbols::short_place(*place) + ": " : "";
}

void find_code_of_line(const Modules& modules, const std::string& where, ScriptPlace* place) {
  std::optional<SourceLine> line = parse_source_line(place->text);
  if (!line || line->column != 0) {
    throw UserError(
        fmt::format("{}until(at(\"{}\")): a place is a file and a line, e.g. at(\"queue.h:41\")",
                    where, place->text));
  }
  LineCode found = find_line(modules, *line);
  place->code = std::move(found.code);
  if (!place->code.empty()) return;
  if (!found.has_file) {
    throw UserError(fmt::format("{}until(at(\"{}\")): the program has no code of a file {}", where,
                                place->text, line->file));
  }
  throw UserError(
      fmt::format("{}until(at(\"{}\")): there is no code on that line; the next that has "
                  "some: at(\"{}:{}\")",
                  where, place->text, line->file, found.nearest));
}

}  // namespace

ScriptPlace find_script_place(const Evidence& evidence) {
  const Modules& modules = evidence.modules;
  const wire::ScriptPlace& wanted = *evidence.wanted;
  ScriptPlace place;
  place.text.assign(wanted.text, strnlen(wanted.text, sizeof wanted.text));
  place.is_line = wanted.is_line != 0;
  std::string where = line_of_transfer(evidence);
  if (place.is_line) {
    find_code_of_line(modules, where, &place);
    return place;
  }
  Found found = find_functions(modules, place.text, &place.code);
  if (found.found) return place;
  if (!found.elsewhere.empty()) {
    throw UserError(
        fmt::format("{}the script waits for the function '{}', which is in {}: that was not built "
                    "with heddle-c++, and what happens there is not seen",
                    where, place.text, found.elsewhere));
  }
  std::string near = symbols::nearest(place.text, found.others);
  throw UserError(fmt::format(
      "{}the script waits for the function '{}', and the program has none "
      "of that name{}",
      where, place.text, near.empty() ? "" : fmt::format("; did you mean '{}'?", near)));
}

}  // namespace heddle::trace
