// ThreadSanitizer's reports, of GCC and of Clang.
//
// A warning begins with "WARNING: ThreadSanitizer: KIND (pid=1)", ends with "SUMMARY: …", and has
// headings and call stacks between. The program's own output may stand before, after and in the
// middle.
#include <fmt/format.h>

#include "warnings/readers.h"
#include "warnings/stack.h"
#include "warnings/text.h"

namespace heddle::warnings {
namespace {

constexpr std::string_view kBegin = "WARNING: ThreadSanitizer: ";

struct Block {
  std::string kind;  // "data race"
  uint32_t line = 0;
  std::vector<Stack> stacks;
  bool has_end = false;
};

bool is_rule(std::string_view line) {
  return line.size() >= 10 && line.find_first_not_of('=') == std::string_view::npos;
}

// "    #3 name args /path/file.cc:12:5 (module+0x12) (BuildId: …)". Names have blanks, and so may
// paths: a path begins after the last blank that is followed by something with a line at its end,
// or by <null>.
std::optional<Frame> frame_of(std::string_view line) {
  std::string_view rest = trimmed(line);
  if (!rest.starts_with('#')) return std::nullopt;
  size_t blank = rest.find(' ');
  if (blank == std::string_view::npos || !number(rest.substr(1, blank - 1))) return std::nullopt;
  rest = trimmed(rest.substr(blank));
  Frame frame;
  size_t build = rest.rfind(" (BuildId: ");
  if (build != std::string_view::npos) rest = rest.substr(0, build);
  size_t module = rest.rfind(" (");
  if (module != std::string_view::npos && rest.ends_with(')') &&
      rest.find("+0x", module) != std::string_view::npos) {
    std::string_view inside = rest.substr(module + 2);
    frame.module = inside.substr(0, inside.rfind("+0x"));
    rest = trimmed(rest.substr(0, module));
  }
  // The path is the last word; if it has blanks itself, it begins at the last " /".
  size_t begin = rest.rfind(" /");
  if (begin == std::string_view::npos) begin = rest.rfind(' ');
  std::string_view path = begin == std::string_view::npos ? "" : trimmed(rest.substr(begin));
  frame.where.function = trimmed(rest.substr(0, begin));
  // "file:12:5", "file:12"
  size_t colon = path.rfind(':');
  if (path == "<null>" || path.empty() || colon == std::string_view::npos) {
    if (path != "<null>") frame.where.function = rest;
    return frame;
  }
  std::optional<uint32_t> last = number(path.substr(colon + 1));
  if (!last) return std::nullopt;
  size_t before = path.rfind(':', colon - 1);
  std::optional<uint32_t> first;
  if (before != std::string_view::npos && colon > 0)
    first = number(path.substr(before + 1, colon - before - 1));
  frame.where.file = path.substr(0, first ? before : colon);
  frame.where.line = first ? *first : *last;
  frame.where.column = first ? *last : 0;
  return frame;
}

class Reader {
 public:
  Reader(std::string_view text, Reading* reading) : lines_(split_lines(text)), reading_(reading) {}

  void read() {
    for (at_ = 0; at_ < lines_.size(); ++at_) {
      std::string_view line = lines_[at_];
      if (line.find(kBegin) != std::string_view::npos) {
        read_block();
        was_stray_ = false;
      } else {
        look_outside(line);
      }
    }
  }

 private:
  uint32_t line_number() const { return static_cast<uint32_t>(at_ + 1); }
  void unread(size_t line, std::string_view why) { reading_->unread.push_back(at_line(line, why)); }

  // Between warnings is the program's output, but for what looks as if a warning had lost its head.
  void look_outside(std::string_view line) {
    size_t error = line.find("ERROR: ThreadSanitizer: ");
    if (error != std::string_view::npos) {
      unread(line_number(),
             shown(line.substr(error + 24)) + ": the program ended there; no warning");
      was_stray_ = true;  // the stack that follows belongs to it
      return;
    }
    bool is_stray = trimmed(line).starts_with('#') && frame_of(line).has_value();
    bool is_torn = line.find("ThreadSanitizer: ") != std::string_view::npos &&
                   line.find("reported ") == std::string_view::npos;
    if ((is_stray || is_torn) && !was_stray_) {
      unread(line_number(), "a piece of a warning whose beginning is missing: " + shown(line));
    }
    was_stray_ = is_stray || is_torn || (was_stray_ && !is_rule(line));
  }

  void read_block() {
    Block block;
    block.line = line_number();
    std::string_view kind = lines_[at_];
    kind = kind.substr(kind.find(kBegin) + kBegin.size());
    block.kind = trimmed(kind.substr(0, kind.rfind(" (pid=")));
    while (++at_ < lines_.size() && !block.has_end) {
      std::string_view line = lines_[at_];
      if (line.find(kBegin) != std::string_view::npos) break;
      if (is_rule(line)) {  // without a summary: print_summary=0
        block.has_end = true;
        break;
      }
      block.has_end = line.starts_with("SUMMARY: ThreadSanitizer: ");
      if (!block.has_end) read_line(line, &block);
    }
    // The loop before goes on with the next line.
    --at_;
    judge(block);
  }

  void read_line(std::string_view line, Block* block) {
    std::string_view rest = trimmed(line);
    if (rest.empty()) {
      open_ = false;
      return;
    }
    if (rest.starts_with('#') && line.starts_with(' ')) {
      std::optional<Frame> frame = frame_of(line);
      if (!frame) {
        unread(line_number(), "a line of a call stack that cannot be read: " + shown(line));
        return;
      }
      if (!open_) block->stacks.push_back({"", line_number(), {}, false});
      open_ = true;
      block->stacks.back().frames.push_back(std::move(*frame));
      return;
    }
    if (rest.starts_with("[failed to restore the stack]") && open_) {
      block->stacks.back().is_missing = true;
      return;
    }
    if (line.starts_with("  ") && rest.ends_with(':')) {
      block->stacks.push_back({std::string(rest), line_number(), {}, false});
      open_ = true;
      return;
    }
    if (!line.starts_with("  ")) {
      unread(line_number(), "in the middle of a warning, and no part of it: " + shown(line));
    }
  }

  void judge(const Block& block) {
    open_ = false;
    if (!block.has_end) {
      unread(block.line, shown(block.kind) + ": the warning breaks off");
      return;
    }
    Warning warning;
    warning.tool = "ThreadSanitizer";
    warning.rule = block.kind;
    warning.line = block.line;
    std::string why;
    const std::string& kind = block.kind;
    if (kind.starts_with("data race") || kind.starts_with("heap-use-after-free") ||
        kind.starts_with("race on")) {
      why = race(block, &warning);
    } else if (kind.starts_with("lock-order-inversion")) {
      why = lock_order(block, &warning);
    } else if (kind.find("mutex") != std::string::npos) {
      why = mutex(block, &warning);
    } else if (kind == "thread leak") {
      why = "the thread is never joined on any schedule";
    } else if (kind.starts_with("signal")) {
      why = "what handlers of signals may call does not depend on the schedule";
    } else {
      why = "not a kind of warning that is known";
    }
    if (!why.empty()) {
      unread(block.line, shown(kind) + ": " + why);
      return;
    }
    add_warning(std::move(warning), reading_);
  }

  // Empty: done. Otherwise: why not.
  static std::string race(const Block& block, Warning* warning) {
    std::vector<const Stack*> accesses;
    for (const Stack& stack : block.stacks) {
      if (stack.heading.find(" of size ") == std::string::npos) continue;
      if (stack.heading.starts_with("Location ") || stack.heading.starts_with("As if")) continue;
      accesses.push_back(&stack);
    }
    if (accesses.size() != 2)
      return fmt::format("it has {} accesses, and not two", accesses.size());
    std::vector<Location> places;
    for (const Stack* stack : accesses) {
      if (stack->is_missing || stack->frames.empty())
        return "ThreadSanitizer has lost a call stack; a larger history_size in TSAN_OPTIONS keeps "
               "it";
      std::optional<Location> place = user_frame(*stack);
      if (!place)
        return fmt::format(
            "no frame of the call stack at line {} is in a source file of the program; compile "
            "with -g",
            stack->line);
      places.push_back(std::move(*place));
    }
    bool second_frees = frees(*accesses[1]);
    bool first_frees = frees(*accesses[0]);
    warning->where = places[0];
    if (first_frees || second_frees) {
      warning->kind = first_frees && second_frees ? Kind::double_free : Kind::use_after_free;
      // Freed first; the other order is no failure.
      warning->sequences = {first_frees ? Sequence{places[0], places[1]}
                                        : Sequence{places[1], places[0]}};
      if (first_frees && second_frees) warning->sequences = both_orders(places[0], places[1]);
    } else if (block.kind.starts_with("heap-use-after-free")) {
      warning->kind = Kind::use_after_free;
      warning->sequences = {{places[1], places[0]}};
    } else {
      warning->kind = Kind::data_race;
      // The order that was seen is the first to be tried.
      warning->sequences = both_orders(places[1], places[0]);
    }
    warning->needed = places;
    warning->message =
        fmt::format("{} at {} and at {}", block.kind, place_text(places[0]), place_text(places[1]));
    return "";
  }

  static std::string lock_order(const Block& block, Warning* warning) {
    Sequence held;
    Sequence taken;
    for (const Stack& stack : block.stacks) {
      bool takes = stack.heading.find("acquired here while holding mutex") != std::string::npos;
      bool holds =
          stack.heading.find("previously acquired by the same thread here") != std::string::npos;
      if (!takes && !holds) continue;
      std::optional<Location> place = user_frame(stack);
      if (!place)
        return fmt::format(
            "no frame of the call stack at line {} is in a source file of the program; compile "
            "with -g",
            stack.line);
      (takes ? taken : held).push_back(std::move(*place));
    }
    if (taken.size() < 2) return "it does not say where two locks are taken";
    if (!held.empty() && held.size() != taken.size())
      return "it does not say of every lock where the one before it was taken";
    warning->kind = Kind::lock_order;
    warning->where = taken.front();
    warning->needed = taken;
    warning->message = "lock-order-inversion (potential deadlock):";
    for (size_t i = 0; i < taken.size(); ++i) {
      warning->message += fmt::format("{} {}", i == 0 ? "" : ",", place_text(taken[i]));
      if (!held.empty()) warning->message += " after " + place_text(held[i]);
    }
    if (held.empty()) {
      // All that is known is where each takes its second lock.
      warning->sequences = {taken, Sequence(taken.rbegin(), taken.rend())};
      if (warning->sequences[0] == warning->sequences[1]) warning->sequences.pop_back();
    } else {
      held.insert(held.end(), taken.begin(), taken.end());
      warning->sequences = {held};
    }
    return "";
  }

  // "unlock of an unlocked mutex", and the like. The first stack is where; others say where it was
  // locked.
  static std::string mutex(const Block& block, Warning* warning) {
    Sequence places;
    for (const Stack& stack : block.stacks) {
      if (stack.heading.starts_with("Thread ") || stack.heading.starts_with("Location ")) continue;
      if (stack.heading.find(" created") != std::string::npos) continue;
      std::optional<Location> place = user_frame(stack);
      if (place) places.push_back(std::move(*place));
    }
    if (places.empty()) return "no frame of its call stack is in a source file of the program";
    warning->kind = Kind::locking;
    warning->where = places.front();
    warning->needed = {places.front()};
    warning->message = fmt::format("{} at {}", block.kind, place_text(places.front()));
    // What was before (a lock that is still held, a mutex that was destroyed) comes first.
    warning->sequences = {Sequence(places.rbegin(), places.rend())};
    return "";
  }

  std::vector<std::string_view> lines_;
  Reading* reading_;
  size_t at_ = 0;
  bool open_ = false;       // frames belong to the last stack
  bool was_stray_ = false;  // so that a torn warning is named once
};

}  // namespace

void read_tsan(std::string_view text, Reading* reading) { Reader(text, reading).read(); }

}  // namespace heddle::warnings
