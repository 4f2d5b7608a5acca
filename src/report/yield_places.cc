#include "report/yield_places.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <tuple>

#include "base/exit_code.h"
#include "report/style.h"

namespace heddle::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kCasesShown = 3;  // of a place, by the text; the JSON has all

std::string seen_in(uint64_t executions, const YieldReport& report) {
  return fmt::format("{} of {}", grouped(executions), counted(report.looked_at, "execution"));
}

std::string more_cases(const YieldPlace& place) {
  if (place.cases.size() <= kCasesShown) return "";
  return fmt::format("    and {} more\n", place.cases.size() - kCasesShown);
}

size_t shown(const YieldPlace& place) { return std::min(place.cases.size(), kCasesShown); }

// "queue.h:41", and what to type there, in columns.
std::string head(const YieldPlace& place, const YieldReport& report) {
  size_t location = 0;
  for (const YieldPlace& one : report.places) location = std::max(location, one.location.size());
  return fmt::format("{}  {};", padded(printable(place.location), location),
                     printable(yield_call(place)));
}

// What is to be known beside the places, and the line that says what they rest on.
std::string rest(const YieldReport& report, const std::string& verdict) {
  const Summary& summary = report.summary;
  std::string out;
  for (const std::string& note : summary.notes) out += "note: " + printable(note) + "\n";
  if (summary.failing_executions != 0) {
    out += fmt::format("note: {} failed; heddle run tells how\n",
                       counted(summary.failing_executions, "execution"));
  }
  bool says_so = is_complete(summary) || verdict.starts_with("incomplete");
  return out + fmt::format("{}; {}{}; {}\n", verdict, says_so ? "" : "incomplete, ",
                           coverage(summary), duration(summary.seconds));
}

// Beyond a bound there may be anything.
bool covers_all(const Summary& summary) {
  return is_complete(summary) && !summary.preemptions && !summary.delays && !summary.depth;
}

// "conflicts at 3 places"
std::string count_words(const YieldReport& report, const char* what) {
  if (report.places.empty()) {
    return fmt::format("no {}{}", what, covers_all(report.summary) ? "" : " in what was seen");
  }
  return fmt::format("{} at {}", what, counted(report.places.size(), "place"));
}

bool has_line(const YieldPlace& place) { return place.line != 0; }

std::string without_lines(const YieldReport& report) {
  if (std::ranges::all_of(report.places, has_line)) return "";
  return "note: some places have no line in the source: build with -g\n";
}

Json to_json(const SeenStep& step) {
  return {{"thread", step.thread}, {"operation", step.operation}, {"location", step.location}};
}

Json to_json(const YieldPlace& place) {
  Json cases = Json::array();
  for (const YieldCase& one : place.cases) {
    Json steps = Json::array();
    for (const SeenStep& step : one.steps) steps.push_back(to_json(step));
    cases.push_back({{"executions", one.executions}, {"race", one.race}, {"steps", steps}});
  }
  return {{"location", place.location},
          {"file", place.file},
          {"line", place.line},
          {"function", place.function},
          {"type", yield_call(place)},
          {"race", place.race},
          {"executions", place.executions},
          {"cases", cases}};
}

std::string json_of(const YieldReport& report, const char* verdict, int exit_code) {
  const Summary& summary = report.summary;
  Json places = Json::array();
  for (const YieldPlace& place : report.places) places.push_back(to_json(place));
  Json stopped_by = summary.stopped_by.empty() ? Json() : Json(summary.stopped_by);
  Json all = {{"heddle", HEDDLE_VERSION},
              {"program", summary.program},
              {"verdict", verdict},
              {"places", places},
              {"executions", summary.executions},
              {"looked_at", report.looked_at},
              {"distinct", summary.distinct},
              {"failing_executions", summary.failing_executions},
              {"complete", is_complete(summary)},
              {"stopped_by", stopped_by},
              {"covered", coverage(summary)},
              {"seconds", summary.seconds},
              {"notes", summary.notes},
              {"exit_code", exit_code}};
  return all.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

const char* cooperative_verdict(const YieldReport& report) {
  if (!report.places.empty()) return "not cooperable";
  return covers_all(report.summary) ? "cooperable" : "incomplete";
}

}  // namespace

std::string yield_call(const YieldPlace& place) {
  std::string label;
  for (char c : place.function) {
    if (c == '(') break;
    if (c != '"' && c != '\\') label += c;
  }
  if (label.empty()) label = place.location;
  if (place.line != 0 && label != place.location) label += fmt::format(":{}", place.line);
  return fmt::format("HEDDLE_YIELD(\"{}\")", label);
}

void rank(std::vector<YieldPlace>* places) {
  for (YieldPlace& place : *places) {
    std::ranges::stable_sort(place.cases, [](const YieldCase& a, const YieldCase& b) {
      return std::tuple(b.race, b.executions) < std::tuple(a.race, a.executions);
    });
  }
  std::ranges::sort(*places, [](const YieldPlace& a, const YieldPlace& b) {
    return std::tuple(b.race, b.executions, b.cases.size(), a.file, a.line, a.location) <
           std::tuple(a.race, a.executions, a.cases.size(), b.file, b.line, b.location);
  });
}

std::string yields_text(const YieldReport& report) {
  std::string out;
  for (const YieldPlace& place : report.places) {
    out += head(place, report) + "\n";
    for (size_t i = 0; i < shown(place); ++i) {
      const YieldCase& one = place.cases[i];
      const SeenStep& here = one.steps[0];
      const SeenStep& there = one.steps[1];
      out += fmt::format("    {} by {} {} {} by {} at {} ({})\n", printable(here.operation),
                         here.thread, one.race ? "races with" : "conflicts with",
                         printable(there.operation), there.thread, printable(there.location),
                         seen_in(one.executions, report));
    }
    out += more_cases(place);
  }
  if (!out.empty()) out += "\n";
  return out + without_lines(report) + rest(report, count_words(report, "conflicts"));
}

std::string cooperative_text(const YieldReport& report) {
  std::string out;
  for (const YieldPlace& place : report.places) {
    out += head(place, report) + fmt::format("  ({})\n", seen_in(place.executions, report));
    for (size_t i = 0; i < shown(place); ++i) {
      const std::vector<SeenStep>& steps = place.cases[i].steps;
      out += fmt::format("    between {}'s {} at {}\n        and its {} at {}\n", steps[0].thread,
                         printable(steps[0].operation), printable(steps[0].location),
                         printable(steps[1].operation), printable(steps[1].location));
      out += fmt::format("    came {}'s {} at {}", steps[2].thread, printable(steps[2].operation),
                         printable(steps[2].location));
      bool same = steps[2].thread == steps[3].thread && steps[2].operation == steps[3].operation &&
                  steps[2].location == steps[3].location;
      if (!same) {
        out += fmt::format("\n     and {}'s {} at {}", steps[3].thread,
                           printable(steps[3].operation), printable(steps[3].location));
      }
      out += "\n";
    }
    out += more_cases(place);
  }
  if (!out.empty()) out += "\n";
  return out + without_lines(report) +
         rest(report, fmt::format("{}: {}", cooperative_verdict(report),
                                  count_words(report, "interference")));
}

std::string yields_json(const YieldReport& report) {
  return json_of(report, report.places.empty() ? "no conflicts" : "conflicts",
                 yields_exit_code(report));
}

std::string cooperative_json(const YieldReport& report) {
  return json_of(report, cooperative_verdict(report), cooperative_exit_code(report));
}

int yields_exit_code(const YieldReport& report) {
  int code = exit_code(report.summary);
  return code == heddle::exit_code::failed ? heddle::exit_code::ok : code;
}

int cooperative_exit_code(const YieldReport& report) {
  int code = yields_exit_code(report);
  bool uncovered = code == heddle::exit_code::ok && !report.places.empty();
  return uncovered ? heddle::exit_code::failed : code;
}

}  // namespace heddle::report
