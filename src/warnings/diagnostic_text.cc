// "FILE:LINE:COLUMN: warning: MESSAGE [RULE]", with the line of source and a caret below it, and
// notes: Clang, clang-tidy, cppcheck. Also "[FILE:LINE] -> [FILE:LINE]: (error) MESSAGE",
// cppcheck's older form.
#include <fmt/format.h>

#include <array>

#include "warnings/diagnostic.h"
#include "warnings/readers.h"
#include "warnings/text.h"

namespace heddle::warnings {
namespace {

constexpr std::array<std::string_view, 9> kSeverities = {
    "warning",     "error",       "note",        "fatal error", "style",
    "performance", "portability", "information", "remark"};

// "a.cc:12:5", "a.cc:12"
std::optional<Location> place_of(std::string_view text) {
  size_t colon = text.rfind(':');
  if (colon == std::string_view::npos || colon == 0) return std::nullopt;
  std::optional<uint32_t> last = number(text.substr(colon + 1));
  if (!last) return std::nullopt;
  size_t before = text.rfind(':', colon - 1);
  std::optional<uint32_t> first;
  if (before != std::string_view::npos) first = number(text.substr(before + 1, colon - before - 1));
  Location where;
  where.file = text.substr(0, first ? before : colon);
  where.line = first ? *first : *last;
  where.column = first ? *last : 0;
  if (where.line == 0 || trimmed(where.file).empty()) return std::nullopt;
  return where;
}

// Takes "[RULE]" off the end.
std::string take_rule(std::string_view* message) {
  if (!message->ends_with(']')) return "";
  size_t open = message->rfind(" [");
  if (open == std::string_view::npos) return "";
  std::string_view rule = message->substr(open + 2, message->size() - open - 3);
  // "[bugprone-a,cert-b]", "[check,-warnings-as-errors]", "[-Werror,-Wthread-safety-analysis]"
  if (rule.starts_with("-Werror,")) rule.remove_prefix(8);
  rule = rule.substr(0, rule.find(','));
  if (rule.empty() || rule.find(' ') != std::string_view::npos) return "";
  *message = message->substr(0, open);
  return std::string(rule);
}

std::optional<Diagnostic> modern(std::string_view line) {
  for (std::string_view severity : kSeverities) {
    std::string mark = fmt::format(": {}: ", severity);
    size_t at = line.find(mark);
    if (at == std::string_view::npos) continue;
    std::optional<Location> where = place_of(line.substr(0, at));
    if (!where) continue;
    Diagnostic diagnostic;
    diagnostic.where = std::move(*where);
    diagnostic.severity = severity;
    std::string_view message = trimmed(line.substr(at + mark.size()));
    diagnostic.rule = take_rule(&message);
    diagnostic.message = shown(message, kMessage);
    return diagnostic;
  }
  return std::nullopt;
}

// "[a.cc:21] -> [a.cc:25]: (warning) Possible null pointer dereference: p". The last place is the
// warned one.
std::optional<Diagnostic> older(std::string_view line) {
  if (!line.starts_with('[')) return std::nullopt;
  size_t end = line.find("]: (");
  if (end == std::string_view::npos) return std::nullopt;
  size_t close = line.find(')', end);
  if (close == std::string_view::npos) return std::nullopt;
  std::vector<Location> places;
  std::string_view rest = line.substr(0, end + 1);
  while (rest.starts_with('[')) {
    size_t bracket = rest.find(']');
    std::optional<Location> where;
    if (bracket != std::string_view::npos) where = place_of(rest.substr(1, bracket - 1));
    if (!where) return std::nullopt;
    places.push_back(std::move(*where));
    rest.remove_prefix(bracket + 1);
    if (rest.starts_with(" -> ")) rest.remove_prefix(4);
  }
  if (!rest.empty()) return std::nullopt;
  Diagnostic diagnostic;
  diagnostic.severity = line.substr(end + 4, close - end - 4);
  diagnostic.message = shown(line.substr(close + 1), kMessage);
  diagnostic.where = places.back();
  places.pop_back();
  for (Location& place : places) {
    // What the place has to do with it is not said; it comes before.
    diagnostic.notes.push_back({std::move(place), "assuming that condition, freed, acquired"});
  }
  return diagnostic;
}

bool is_caret(std::string_view line) {
  return line.find('^') != std::string_view::npos &&
         line.find_first_not_of(" \t^~-") == std::string_view::npos;
}

// What tools say beside warnings.
bool is_chatter(std::string_view line) {
  if (trimmed(line).empty() || line.starts_with(' ') || line.starts_with('\t')) return true;
  for (std::string_view begin :
       {"In file included from ", "Suppressed ", "Use -header-filter", "Checking ",
        "Found compiler error", "In function ", "Error while processing "}) {
    if (line.starts_with(begin)) return true;
  }
  for (std::string_view end : {" generated.", " done", " treated as errors", " treated as error"}) {
    if (trimmed(line).ends_with(end)) return true;
  }
  return line.find(" files checked ") != std::string_view::npos ||
         line.find(": In ") != std::string_view::npos;
}

class Reader {
 public:
  Reader(std::string_view text, Reading* reading) : lines_(split_lines(text)), reading_(reading) {}

  void read() {
    for (at_ = 0; at_ < lines_.size(); ++at_) read_line(lines_[at_]);
    end_unknown();
    judge_diagnostics(all_, reading_);
  }

 private:
  void read_line(std::string_view line) {
    std::optional<Diagnostic> diagnostic = modern(line);
    if (!diagnostic) diagnostic = older(line);
    if (diagnostic) {
      end_unknown();
      return add(std::move(*diagnostic));
    }
    bool is_source = at_ + 1 < lines_.size() && is_caret(lines_[at_ + 1]);
    if (is_caret(line) || is_source || is_chatter(line)) return end_unknown();
    if (unknown_ == 0) unknown_begin_ = at_ + 1;
    ++unknown_;
  }

  // Two on one line: whoever wrote them did not wait for each other.
  static bool has_another(std::string_view message) {
    for (std::string_view mark : {": warning: ", ": error: ", ": note: ", ": style: ", "]: ("}) {
      if (message.find(mark) != std::string_view::npos) return true;
    }
    return false;
  }

  void add(Diagnostic diagnostic) {
    diagnostic.line = static_cast<uint32_t>(at_ + 1);
    if (has_another(diagnostic.message)) {
      reading_->unread.push_back(at_line(
          at_ + 1, "a second warning on the same line is not read: " + shown(diagnostic.message)));
    }
    if (diagnostic.severity != "note") {
      all_.push_back(std::move(diagnostic));
    } else if (all_.empty()) {
      reading_->unread.push_back(at_line(at_ + 1, "a note without a warning"));
    } else {
      all_.back().notes.push_back({std::move(diagnostic.where), std::move(diagnostic.message)});
    }
  }

  // Lines that follow each other are named once: a build may have written them.
  void end_unknown() {
    if (unknown_ == 0) return;
    std::string where = fmt::format("line {}", unknown_begin_);
    if (unknown_ > 1)
      where = fmt::format("lines {} to {}", unknown_begin_, unknown_begin_ + unknown_ - 1);
    reading_->unread.push_back(
        fmt::format("{}: not a warning: {}", where, shown(lines_[unknown_begin_ - 1])));
    unknown_ = 0;
  }

  std::vector<std::string_view> lines_;
  Reading* reading_;
  std::vector<Diagnostic> all_;
  size_t at_ = 0;
  size_t unknown_ = 0;  // how many lines before this one
  size_t unknown_begin_ = 0;
};

}  // namespace

void read_diagnostics(std::string_view text, Reading* reading) { Reader(text, reading).read(); }

}  // namespace heddle::warnings
