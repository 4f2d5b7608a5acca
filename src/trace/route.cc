#include "trace/route.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <tuple>

#include "base/error.h"
#include "symbols/nearest.h"
#include "trace/focus.h"

namespace heddle::trace {

namespace {

// Takes "@2" off the end of a place.
uint32_t take_thread(std::string* name) {
  size_t at = name->rfind('@');
  if (at == std::string::npos) return wire::kNoThread;
  const char* end = name->data() + name->size();
  const char* digits = name->data() + at + 1;
  if (digits != end && (*digits == 'T' || *digits == 't')) ++digits;
  uint32_t thread = 0;
  auto [rest, error] = std::from_chars(digits, end, thread);
  if (error != std::errc() || rest != end || thread >= wire::kNoThread) {
    throw UserError(fmt::format(
        "--through: '{}': behind the @ stands the number of a thread, e.g. queue.h:41@2", *name));
  }
  name->resize(at);
  return thread;
}

std::vector<wire::Stretch> code_of_line(const Modules& modules, const std::string& name,
                                        const SourceLine& line, const Seen& seen) {
  LineCode found = find_line(modules, line, seen);
  if (!found.code.empty()) return found.code;
  if (!found.has_file) {
    throw UserError(fmt::format(
        "--through: the program has no code of a file '{}' that was built with heddle-c++ and -g",
        line.file));
  }
  if (!found.columns.empty()) {
    throw UserError(
        fmt::format("--through: {}: nothing begins in that column; in the line, code "
                    "begins in column {}",
                    name, fmt::join(found.columns, ", ")));
  }
  throw UserError(fmt::format(
      "--through: {}: nothing on that line can be seen by other threads: it has no access to "
      "memory, "
      "no operation and no call{}",
      name,
      found.nearest != 0
          ? fmt::format("; the nearest line that has is {}:{}", line.file, found.nearest)
          : ""));
}

std::vector<wire::Stretch> code_of_function(const Modules& modules, const std::string& name) {
  std::vector<wire::Stretch> code;
  Found found = find_functions(modules, name, &code);
  if (found.found) return code;
  if (!found.elsewhere.empty()) {
    throw UserError(fmt::format(
        "--through: '{}' is in {}, which was not built with heddle-c++: what happens there is not "
        "seen; name the line that calls it",
        name, found.elsewhere));
  }
  std::string near = symbols::nearest(name, found.others);
  throw UserError(
      fmt::format("--through: the program has no function '{}'{}; a place is a function, or a file "
                  "and a line: queue.h:41",
                  name, near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near)));
}

}  // namespace

Route find_route(const Modules& modules, const std::vector<std::string>& texts, const Seen& seen) {
  Route route;
  std::string last;
  for (const std::string& text : texts) {
    RoutePlace place;
    place.text = text;
    std::string name = text;
    place.thread = take_thread(&name);
    place.by_another = name == last;
    last = name;
    std::optional<SourceLine> line = parse_source_line(name);
    place.code = line ? code_of_line(modules, name, *line, seen) : code_of_function(modules, name);
    auto number = static_cast<uint32_t>(route.places.size());
    for (wire::Stretch& stretch : place.code) {
      // A function of its own is at the place where it is entered.
      bool is_entered = !line && stretch.value != wire::kInlined;
      stretch.attributes = wire::kRoutePlace | (line ? wire::kRacingPlace : 0u);
      stretch.value = wire::RouteBits{1} << (number + (is_entered ? wire::kMaxRoute : 0));
      route.code.push_back(stretch);
    }
    route.places.push_back(std::move(place));
  }
  route.code = disjoint(std::move(route.code));
  return route;
}

std::vector<wire::Stretch> disjoint(std::vector<wire::Stretch> stretches) {
  std::ranges::sort(stretches, {},
                    [](const wire::Stretch& s) { return std::tuple(s.module, s.begin, s.end); });
  std::vector<wire::Stretch> pieces;
  std::vector<wire::Stretch> open;  // those that reach beyond what has been written
  uint64_t module = 0;
  uint64_t at = 0;
  // Writes what lies before `end`.
  auto write_until = [&](uint64_t end) {
    while (!open.empty() && at < end) {
      uint64_t next = end;
      wire::Stretch piece{module, at, 0, 0, 0};
      for (const wire::Stretch& stretch : open) {
        next = std::min(next, stretch.end);
        piece.attributes |= stretch.attributes;
        if ((stretch.attributes & wire::kRoutePlace) != 0) piece.value |= stretch.value;
      }
      piece.end = next;
      pieces.push_back(piece);
      at = next;
      std::erase_if(open, [&](const wire::Stretch& stretch) { return stretch.end <= at; });
    }
  };
  for (const wire::Stretch& stretch : stretches) {
    if (stretch.begin >= stretch.end) continue;
    if (stretch.module != module) write_until(~uint64_t{0});
    module = stretch.module;
    write_until(stretch.begin);
    at = stretch.begin;
    open.push_back(stretch);
  }
  write_until(~uint64_t{0});
  return pieces;
}

}  // namespace heddle::trace
