#include "trace/suppressions.h"

#include <algorithm>
#include <cctype>
#include <stdexcept>

namespace heddle::trace {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r";
  size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

std::optional<wire::Failure> kind_named(std::string_view name) {
#define HEDDLE_FAILURE(id, text) \
  if (name == text) return wire::Failure::id;
  HEDDLE_FAILURES(HEDDLE_FAILURE)
#undef HEDDLE_FAILURE
  return std::nullopt;
}

// From the beginning to the end, with stars.
bool whole(std::string_view pattern, std::string_view text) {
  size_t star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == text;
  if (!text.starts_with(pattern.substr(0, star))) return false;
  std::string_view rest = pattern.substr(star + 1);
  for (size_t from = star; from <= text.size(); ++from) {
    if (whole(rest, text.substr(from))) return true;
  }
  return false;
}

// "queue.cc:12": not line 120.
bool ends_with_line(std::string_view pattern) {
  size_t colon = pattern.rfind(':');
  std::string_view digits = colon == std::string_view::npos ? "" : pattern.substr(colon + 1);
  return !digits.empty() && std::ranges::all_of(digits, [](unsigned char c) { return isdigit(c); });
}

bool matches_place(const Suppression& rule, const Place& place) {
  if (pattern_matches(rule.pattern, place.module)) return true;
  if (rule.only_libraries) return false;
  if (!place.function.empty() && pattern_matches(rule.pattern, place.function)) return true;
  if (place.file.empty()) return false;
  std::string with_line = place.file + ":" + std::to_string(place.line);
  if (ends_with_line(rule.pattern)) return pattern_matches(rule.pattern + "$", with_line);
  return pattern_matches(rule.pattern, place.file);
}

bool matches_stack(const Suppression& rule, const CallStack& stack) {
  return std::ranges::any_of(stack, [&](const Place& place) { return matches_place(rule, place); });
}

}  // namespace

bool pattern_matches(std::string_view pattern, std::string_view text) {
  std::string anchored;
  if (pattern.starts_with('^')) {
    pattern.remove_prefix(1);
  } else {
    anchored = "*";
  }
  bool to_the_end = pattern.ends_with('$');
  if (to_the_end) pattern.remove_suffix(1);
  anchored += pattern;
  if (!to_the_end) anchored += "*";
  return whole(anchored, text);
}

bool Suppression::matches(const Finding& finding) const {
  if (kind && *kind != finding.kind) return false;
  if (matches_stack(*this, finding.stack)) return true;
  for (const Witness& witness : finding.witnesses) {
    if (witness.role != wire::Role::allocated && matches_stack(*this, witness.stack)) return true;
  }
  if (finding.kind == wire::Failure::deadlock) {
    for (const ThreadAtEnd& thread : finding.threads) {
      if (thread.state == wire::ThreadState::waiting && matches_stack(*this, thread.stack))
        return true;
    }
  }
  for (const Wait& wait : finding.waits) {
    if (matches_stack(*this, wait.stack)) return true;
  }
  return !only_libraries && !finding.object.empty() && pattern_matches(pattern, finding.object);
}

std::optional<Suppression> parse_suppression(std::string_view line, std::string place) {
  line = trimmed(line);
  if (line.empty() || line.starts_with('#')) return std::nullopt;
  size_t colon = line.find(':');
  if (colon == std::string_view::npos) {
    throw std::runtime_error("a line is KIND:PATTERN, as in data-race:Queue::push");
  }
  std::string_view name = trimmed(line.substr(0, colon));
  Suppression rule;
  rule.pattern = trimmed(line.substr(colon + 1));
  rule.place = std::move(place);
  if (rule.pattern.empty()) {
    throw std::runtime_error("the pattern is empty; * stands for anything");
  }
  if (name == "*") return rule;
  rule.only_libraries = name == "called_from_lib";
  bool is_race = name == "race" || rule.only_libraries;
  rule.kind = is_race ? wire::Failure::data_race : kind_named(name);
  if (!rule.kind || rule.kind == wire::Failure::none) {
    std::string kinds;
#define HEDDLE_FAILURE(id, text) \
  if (wire::Failure::id != wire::Failure::none) (kinds += text) += ", ";
    HEDDLE_FAILURES(HEDDLE_FAILURE)
#undef HEDDLE_FAILURE
    throw std::runtime_error("there is no kind of failure " + std::string(name) + "; there are " +
                             kinds + "and * for all");
  }
  return rule;
}

const Suppression* suppression_of(const Suppressions& all, const Finding& finding) {
  auto found =
      std::ranges::find_if(all, [&](const Suppression& rule) { return rule.matches(finding); });
  return found != all.end() ? &*found : nullptr;
}

}  // namespace heddle::trace
