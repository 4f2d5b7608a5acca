// Reading schedule files. Every byte is suspect; every error says where it is and what to do.
#include <fmt/format.h>
#include <xxhash.h>

#include <charconv>
#include <set>

#include "trace/quoted.h"
#include "trace/schedule_file.h"

namespace heddle::trace {
namespace {

constexpr std::string_view kHead = "heddle schedule ";
constexpr const char* kAgain = "let `heddle run` find the failure again";

// The first word of `text`, which loses it and the space behind it.
std::string_view take_word(std::string_view* text) {
  size_t space = text->find(' ');
  std::string_view word = text->substr(0, space);
  text->remove_prefix(space == std::string_view::npos ? text->size() : space + 1);
  return word;
}

template <typename Number>
std::optional<Number> number(std::string_view text, int base = 10) {
  Number value{};
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  // No signs, no leading zeros in decimal numbers: one way to write each.
  bool canonical = !text.empty() && text[0] != '-' && (base != 10 || text == "0" || text[0] != '0');
  if (error != std::errc() || end != text.data() + text.size() || !canonical) return {};
  return value;
}

bool is_hex(std::string_view text) {
  return text.find_first_not_of("0123456789abcdef") == std::string_view::npos &&
         text.size() % 2 == 0;
}

bool is_path_of_thread(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789.?") == std::string_view::npos;
}

class Parser {
 public:
  Parser(std::string_view text, const std::string& name) : rest_(text), name_(name) {}

  ScheduleFile parse() {
    head();
    std::string_view line;
    while (next_line(&line)) {
      std::string_view value = line;
      std::string_view key = take_word(&value);
      if (key == "end") {
        end(value);
        return std::move(file_);
      }
      count_line(line);
      if (expected_ && file_.decisions.size() < *expected_) {
        decision(line);
      } else {
        field(key, value);
      }
    }
    fail("the schedule ends here without its `end` line: it was cut off", kAgain);
  }

 private:
  [[noreturn]] void fail(const std::string& what, const std::string& advice) const {
    throw ScheduleFileError(fmt::format("{}:{}: {}; {}", name_, line_, what, advice));
  }
  [[noreturn]] void malformed(const std::string& what) const {
    fail(what, "undo the change to the file, or " + std::string(kAgain));
  }

  // The next line that counts. A line without its newline is no line: the file was cut off there.
  bool next_line(std::string_view* line) {
    while (!rest_.empty()) {
      ++line_;
      size_t end = rest_.find('\n');
      if (end == std::string_view::npos) return false;
      *line = rest_.substr(0, end);
      rest_.remove_prefix(end + 1);
      if (line->ends_with('\r')) line->remove_suffix(1);
      if (!line->empty() && line->front() != '#') return true;
    }
    ++line_;
    return false;
  }

  void count_line(std::string_view line) {
    significant_ += line;
    significant_ += '\n';
  }

  void head() {
    std::string_view line;
    if (!rest_.starts_with(kHead) || !next_line(&line)) {
      line_ = 1;
      fail("this is not a schedule of heddle's",
           "give a file that `heddle run` has written (heddle-out/*.heddle)");
    }
    std::optional<int> version = number<int>(line.substr(kHead.size()));
    if (!version || *version < 1) malformed("the version of the schedule is not a number");
    if (*version != kScheduleVersion) {
      fail(fmt::format("the schedule has version {}, and this heddle ({}) reads version {}",
                       *version, HEDDLE_VERSION, kScheduleVersion),
           "replay it with the heddle that wrote it, or " + std::string(kAgain));
    }
    count_line(line);
  }

  void field(std::string_view key, std::string_view value) {
    static const std::set<std::string_view> kRepeated = {"argument", "option"};
    if (expected_)
      malformed(fmt::format("more than {} decisions, or `{}` after them", *expected_, key));
    if (!kRepeated.contains(key) && !seen_.insert(std::string(key)).second) {
      malformed(fmt::format("a second `{}`", key));
    }
    if (key == "program") {
      file_.program = text(key, value);
    } else if (key == "directory") {
      file_.directory = text(key, value);
    } else if (key == "build-id") {
      if (!is_hex(value) || value.empty()) malformed("the build id is not a hexadecimal number");
      file_.build_id = value;
    } else if (key == "argument") {
      if (!value.starts_with('"')) malformed("an argument must be a JSON string");
      file_.arguments.push_back(text(key, value));
    } else if (key == "option") {
      std::string option(take_word(&value));
      if (option.empty()) malformed("an option without a name");
      file_.options.emplace_back(option, text(option, value));
    } else if (key == "failure") {
      file_.failure = take_word(&value);
      if (file_.failure.empty()) malformed("`failure` needs a kind");
      if (!value.empty()) file_.location = text(key, value);
    } else {
      numeric_field(key, value);
    }
  }

  void numeric_field(std::string_view key, std::string_view value) {
    if (key == "check") {
      file_.check = natural<uint32_t>(key, value);
    } else if (key == "steps") {
      file_.steps = natural<uint32_t>(key, value);
    } else if (key == "cycle") {
      file_.cycle = natural<uint32_t>(key, value);
      if (file_.cycle > file_.steps) malformed("the cycle has more steps than the execution");
    } else if (key == "sequence") {
      std::optional<uint64_t> sequence = number<uint64_t>(value, 16);
      if (value.size() != 16 || !is_hex(value) || !sequence)
        malformed("`sequence` needs 16 hexadecimal digits");
      file_.sequence = *sequence;
    } else if (key == "decisions") {
      for (const char* needed : {"program", "directory", "failure", "steps", "sequence"}) {
        if (!seen_.contains(needed)) malformed(fmt::format("`{}` is missing above", needed));
      }
      expected_ = natural<uint32_t>(key, value);
    } else {
      malformed(fmt::format("`{}` is unknown", printable(key)));
    }
  }

  void decision(std::string_view line) {
    std::string_view rest = line;
    std::optional<uint32_t> step = number<uint32_t>(take_word(&rest));
    std::optional<uint32_t> choice = number<uint32_t>(take_word(&rest));
    bool has_thread = take_word(&rest) == "thread";
    if (!step || !choice || !has_thread || !is_path_of_thread(rest)) {
      malformed("a decision reads `STEP CHOICE thread PATH`, like `12 1 thread 2`");
    }
    if (*choice == 0) malformed("choice 0 is the default and is not written down");
    // An execution of no steps has taken them with it; what led to it is known nevertheless.
    if (*step >= file_.steps && file_.steps != 0)
      malformed(fmt::format("step {} of only {} steps", *step, file_.steps));
    // Of an execution that has taken its steps with it, threads that are put to sleep come first.
    bool may_repeat =
        !file_.decisions.empty() && wire::Decision{*step, file_.decisions.back().choice}.is_sleep();
    if (!file_.decisions.empty() && *step <= file_.decisions.back().step &&
        !(may_repeat && *step == file_.decisions.back().step)) {
      malformed("the steps of the decisions do not rise");
    }
    file_.decisions.push_back({*step, *choice, std::string(rest), ""});
  }

  void end(std::string_view value) {
    if (!expected_) malformed("`end` comes before `decisions`");
    if (file_.decisions.size() != *expected_) {
      malformed(fmt::format("{} decisions of {} are missing", *expected_ - file_.decisions.size(),
                            *expected_));
    }
    if (value != "unchecked") {
      std::string checksum =
          fmt::format("{:016x}", XXH64(significant_.data(), significant_.size(), 0));
      if (value != checksum) {
        fail("the checksum is wrong: the schedule was damaged or edited",
             "to use an edited schedule as it is, make its last line `end unchecked`; otherwise " +
                 std::string(kAgain));
      }
    }
    std::string_view line;
    if (next_line(&line)) malformed("something follows after `end`");
    if (!rest_.empty() && rest_.front() != '#') malformed("something follows after `end`");
  }

  std::string text(std::string_view key, std::string_view value) const {
    std::optional<std::string> result = unquote(value);
    if (!result || value.empty())
      malformed(fmt::format("`{}` needs a text, or a JSON string", printable(key)));
    return *result;
  }

  template <typename Number>
  Number natural(std::string_view key, std::string_view value) const {
    std::optional<Number> result = number<Number>(value);
    if (!result) malformed(fmt::format("`{}` needs a number", key));
    return *result;
  }

  static std::string printable(std::string_view text) {
    std::string result;
    for (char c : text.substr(0, 40)) result += c >= 0x20 && c < 0x7f ? c : '?';
    return result;
  }

  std::string_view rest_;
  const std::string& name_;
  size_t line_ = 0;
  std::string significant_;
  ScheduleFile file_;
  std::set<std::string> seen_;
  std::optional<uint32_t> expected_;  // decisions; nothing before the `decisions` line
};

}  // namespace

ScheduleFile parse_schedule(std::string_view text, const std::string& name) {
  return Parser(text, name).parse();
}

}  // namespace heddle::trace
