// Helgrind's text: "==123== " before every line, errors between lines of dashes.
#include "warnings/helgrind.h"

#include <fmt/format.h>

#include "warnings/readers.h"
#include "warnings/text.h"

namespace heddle::warnings {
namespace {

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

std::string no_source(uint32_t line) {
  return fmt::format(
      "no frame of the call stack at line {} is in a source file of the program; compile with -g",
      line);
}

// Empty: done. Otherwise: why not.
std::string race(const HelgrindError& error, Warning* warning) {
  const Stack* now = nullptr;
  const Stack* before = nullptr;
  for (const Stack& stack : error.stacks) {
    if (has(stack.heading, "Possible data race")) now = &stack;
    if (has(stack.heading, "This conflicts with")) before = &stack;
  }
  if (now == nullptr) return "it has no call stack";
  if (before == nullptr)
    return "it does not say what it conflicts with; --history-level=full or a larger "
           "--conflict-cache-size may";
  std::optional<Location> one = user_frame(*now);
  std::optional<Location> other = user_frame(*before);
  if (!one || !other) return no_source(one ? before->line : now->line);
  warning->kind = Kind::data_race;
  warning->where = *one;
  warning->needed = {*one, *other};
  warning->message =
      fmt::format("possible data race at {} and at {}", place_text(*one), place_text(*other));
  // The order that was seen is the first to be tried.
  warning->sequences = both_orders(*other, *one);
  return "";
}

std::string lock_order(const HelgrindError& error, Warning* warning) {
  // Observed: first, second; required: first, second. The XML has no stack of the very first, and
  // that of the second has the error's own text for a heading.
  std::vector<Location> places;
  for (const Stack& stack : error.stacks) {
    bool belongs = has(stack.heading, "Observed (incorrect) order is: acquisition") ||
                   has(stack.heading, "Required order was established by acquisition") ||
                   has(stack.heading, "followed by a later acquisition") ||
                   stack.heading == error.what;
    if (!belongs) continue;
    std::optional<Location> place = user_frame(stack);
    if (!place) return no_source(stack.line);
    places.push_back(std::move(*place));
  }
  if (places.size() != 3 && places.size() != 4)
    return "it does not say where both threads take both locks";
  warning->kind = Kind::lock_order;
  const Location& required_first = places[places.size() - 2];
  const Location& required_second = places.back();
  const Location& observed_second = places[places.size() - 3];
  warning->where = observed_second;
  warning->needed = {observed_second, required_second};
  warning->message =
      fmt::format("lock order violated at {}: required was {} then {}", place_text(observed_second),
                  place_text(required_first), place_text(required_second));
  if (places.size() == 3) {
    warning->sequences = {{required_first, observed_second, required_second}};
  } else {
    warning->sequences = {{places[0], required_first, observed_second, required_second}};
  }
  return "";
}

std::string misuse(const HelgrindError& error, Warning* warning) {
  if (error.stacks.empty()) return "it has no call stack";
  std::optional<Location> place = user_frame(error.stacks.front());
  if (!place) return no_source(error.stacks.front().line);
  warning->kind = Kind::locking;
  warning->where = *place;
  warning->needed = {*place};
  warning->message = shown(error.what, kMessage);
  warning->sequences = {{*place}};
  return "";
}

std::string rule_of(std::string_view what) {
  if (has(what, "Possible data race")) return "Race";
  if (has(what, "lock order")) return "LockOrder";
  if (has(what, "unlocked an invalid lock")) return "UnlockBogus";
  if (has(what, "unlocked a not-locked lock")) return "UnlockUnlocked";
  if (has(what, "unlocked lock at")) return "UnlockForeign";
  if (has(what, "'s call to ")) return "PthAPIerror";
  return "Misc";
}

bool is_misuse(std::string_view what) {
  for (std::string_view part :
       {"unlocked an invalid lock", "unlocked a not-locked lock", "unlocked lock at", "'s call to ",
        "of a locked mutex", "with invalid argument", "un-held", "not-held", "still holds",
        "being waited upon", "Attempt to re-lock", "incorrect semaphore", "invalid semaphore",
        "held by a different thread", "unknown cond var", "called with"}) {
    if (has(what, part)) return true;
  }
  return false;
}

}  // namespace

void judge_helgrind(const HelgrindError& error, Reading* reading) {
  Warning warning;
  warning.tool = "Helgrind";
  warning.rule = rule_of(error.what);
  warning.line = error.line;
  std::string why;
  if (has(error.what, "Possible data race")) {
    why = race(error, &warning);
  } else if (has(error.what, "lock order")) {
    why = lock_order(error, &warning);
  } else if (has(error.what, "dubious")) {
    why = "it is bad style at most: no run fails of it";
  } else if (is_misuse(error.what)) {
    why = misuse(error, &warning);
  } else {
    why = "not a kind of error that is known";
  }
  if (why.empty()) {
    add_warning(std::move(warning), reading);
  } else {
    reading->unread.push_back(at_line(error.line, shown(error.what) + ": " + why));
  }
}

namespace {

// What follows "==123== ". nullopt: the line is the program's.
std::optional<std::string_view> body(std::string_view line) {
  if (!line.starts_with("==")) return std::nullopt;
  size_t end = line.find("==", 2);
  if (end == std::string_view::npos || !number(line.substr(2, end - 2))) return std::nullopt;
  line.remove_prefix(end + 2);
  if (line.starts_with(' ')) line.remove_prefix(1);
  return line;
}

bool is_frame(std::string_view text) {
  return trimmed(text).starts_with("at 0x") || trimmed(text).starts_with("by 0x");
}

// "   by 0x10974A: main (a.cc:16)", "   at 0x484976E: ??? (in /usr/lib/x.so)"
std::optional<Frame> frame_of(std::string_view text) {
  text = trimmed(text);
  size_t colon = text.find(": ");
  size_t open = text.rfind(" (");
  if (colon == std::string_view::npos) return std::nullopt;
  Frame frame;
  if (open == std::string_view::npos || open < colon + 1) {  // "by 0x12: ???"
    frame.where.function = trimmed(text.substr(colon + 2));
    return frame;
  }
  if (!text.ends_with(')')) return std::nullopt;
  frame.where.function = open > colon + 2 ? trimmed(text.substr(colon + 2, open - colon - 2)) : "";
  std::string_view inside = text.substr(open + 2, text.size() - open - 3);
  if (inside.starts_with("in ")) {
    frame.module = inside.substr(3);
    return frame;
  }
  size_t last = inside.rfind(':');
  std::optional<uint32_t> line;
  if (last != std::string_view::npos) line = number(inside.substr(last + 1));
  if (!line) return std::nullopt;
  frame.where.file = inside.substr(0, last);
  frame.where.line = *line;
  return frame;
}

class Reader {
 public:
  Reader(std::string_view text, Reading* reading) : lines_(split_lines(text)), reading_(reading) {}

  void read() {
    for (at_ = 0; at_ < lines_.size(); ++at_) {
      std::optional<std::string_view> line = body(lines_[at_]);
      if (line) {
        read_line(*line);
      } else if (lines_[at_].starts_with('=') || is_frame(lines_[at_]) || has(lines_[at_], "== ")) {
        unread("a piece of a report that cannot be read: " + shown(lines_[at_]));
      }
    }
    bool was_open = !error_.what.empty() && !has_summary_;
    if (was_open) {
      reading_->unread.push_back(
          at_line(error_.line, shown(error_.what) + ": the report breaks off"));
    } else {
      end_error();
      if (!has_summary_) {
        reading_->unread.push_back(
            at_line(lines_.size(), "the report breaks off: it has no error summary"));
      }
    }
  }

 private:
  uint32_t line_number() const { return static_cast<uint32_t>(at_ + 1); }
  void unread(std::string_view why) { reading_->unread.push_back(at_line(line_number(), why)); }

  void end_error() {
    if (!error_.what.empty()) judge_helgrind(error_, reading_);
    error_ = {};
    pending_.clear();
    in_stack_ = false;
    is_open_ = false;
  }

  static bool begins_error(std::string_view line) {
    return line.starts_with("Possible data race") ||
           (line.starts_with("Thread #") && !has(line, " was created") &&
            !has(line, "root thread"));
  }

  static bool is_lock(std::string_view what) {
    return what.starts_with("Lock at ") && what.ends_with(" was first observed");
  }

  void read_line(std::string_view line) {
    if (line.starts_with("----")) {
      end_error();
      is_open_ = true;
      return;
    }
    if (line.starts_with("---Thread-Announcement")) return end_error();
    if (line.starts_with("ERROR SUMMARY")) {
      has_summary_ = true;
      return end_error();
    }
    if (line.starts_with("Use --history-level") || line.starts_with("For lists of detected"))
      return end_error();
    if (line.starts_with("Process terminating")) {
      end_error();
      unread(shown(line) + ": the program ended there; no warning");
      return;
    }
    if (begins_error(line)) {
      // Above a race stand the locks that were held, and where they were first seen.
      if (is_lock(error_.what)) error_ = {};
      end_error();
      is_open_ = true;
    }
    if (!is_open_) return;
    if (trimmed(line).empty()) {
      in_stack_ = false;
      pending_.clear();
    } else if (is_frame(line)) {
      add_frame(line);
    } else {
      in_stack_ = false;
      if (error_.what.empty()) {
        error_.what = trimmed(line);
        error_.line = line_number();
      }
      if (pending_.empty()) pending_line_ = line_number();
      pending_ += pending_.empty() ? "" : "; ";
      pending_ += trimmed(line);
    }
  }

  void add_frame(std::string_view line) {
    std::optional<Frame> frame = frame_of(line);
    if (!frame) {
      unread("a line of a call stack that cannot be read: " + shown(line));
      return;
    }
    if (!in_stack_) {
      error_.stacks.push_back({pending_, pending_line_, {}, false});
      pending_.clear();
      in_stack_ = true;
    }
    error_.stacks.back().frames.push_back(std::move(*frame));
  }

  std::vector<std::string_view> lines_;
  Reading* reading_;
  size_t at_ = 0;
  HelgrindError error_;
  std::string pending_;  // the lines that the next call stack has above it
  uint32_t pending_line_ = 0;
  bool is_open_ = false;   // after a line of dashes
  bool in_stack_ = false;  // frames belong to the last stack
  bool has_summary_ = false;
};

}  // namespace

void read_helgrind(std::string_view text, Reading* reading) { Reader(text, reading).read(); }

}  // namespace heddle::warnings
