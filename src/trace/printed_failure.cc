#include "trace/printed_failure.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <vector>

#include "symbols/readable_name.h"
#include "wire/frameworks.h"

namespace heddle::trace {

namespace {

constexpr size_t kLines = 24;  // of one assertion

// Without the colours of a terminal, which some ask for even where there is none.
std::string without_colors(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b' && i + 1 < text.size() && text[i + 1] == '[') {
      while (i < text.size() && text[i] != 'm') ++i;
    } else {
      out += text[i];
    }
  }
  return out;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

// "file.cc:12: words", taken apart.
struct Head {
  std::string_view file;
  int line;
  std::string_view words;
};

std::optional<Head> head_of(std::string_view text) {
  for (size_t at = 0; (at = text.find(": ", at)) != text.npos; ++at) {
    size_t colon = text.substr(0, at).rfind(':');
    if (colon == text.npos || colon == 0) continue;
    std::string_view number = text.substr(colon + 1, at - colon - 1);
    int line = 0;
    auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), line);
    if (error != std::errc() || end != number.data() + number.size() || line < 0) continue;
    return Head{text.substr(0, colon), line, text.substr(at + 2)};
  }
  return std::nullopt;
}

bool is_rule(std::string_view line) {
  return line.size() > 20 && line.find_first_not_of(line.front()) == line.npos;
}

// "[ RUN      ] Stock.Small", "[  FAILED  ] …", "[----------]"
bool is_gtest_bracket(std::string_view line) {
  return line.size() >= 12 && line[0] == '[' && line[11] == ']';
}

struct Reader {
  std::vector<std::string_view> lines;
  bool is_doctest = false;  // its words are anybody's

  // What stands behind the place, if this line begins a failure; for GoogleTest nothing.
  std::optional<Head> begins(std::string_view line) const {
    if (line == "unknown file: Failure") return Head{"", 0, ""};
    std::optional<Head> head = head_of(line);
    if (!head) return std::nullopt;
    if (head->words == "Failure") head->words = "";
    if (head->words.empty() || head->words == "FAILED:") return head;
    for (std::string_view word : {"ERROR: ", "FATAL ERROR: "}) {
      if (is_doctest && head->words.starts_with(word)) {
        head->words.remove_prefix(word.size());
        return head;
      }
    }
    return std::nullopt;
  }

  std::string body(size_t begin, std::string_view first) const {
    std::string text(first);
    size_t end = std::min(lines.size(), begin + kLines);
    for (size_t i = begin; i < end; ++i) {
      std::string_view line = lines[i];
      if (line.empty() || is_gtest_bracket(line) || is_rule(line) || begins(line)) break;
      text += (text.empty() ? "" : "\n") + std::string(line);
    }
    return text;
  }
};

}  // namespace

std::optional<PrintedFailure> printed_failure(std::string_view output) {
  std::string plain = without_colors(output);
  Reader reader{lines_of(plain), plain.find("[doctest]") != plain.npos};
  constexpr std::string_view kRun = "[ RUN      ] ";
  constexpr std::string_view kCase = "TEST CASE:  ";
  std::optional<PrintedFailure> failure;
  std::string_view test;
  size_t more = 0;
  for (size_t i = 0; i < reader.lines.size(); ++i) {
    std::string_view line = reader.lines[i];
    if (line.starts_with(kRun)) test = line.substr(kRun.size());
    if (line.starts_with(kCase)) test = line.substr(kCase.size());
    std::optional<Head> head = reader.begins(line);
    if (!head) continue;
    if (failure) {
      ++more;
      continue;
    }
    failure = PrintedFailure{std::string(head->file), head->line, reader.body(i + 1, head->words),
                             std::string(test)};
  }
  if (more != 0) {
    failure->text += fmt::format("\nand {} more {}", more, more == 1 ? "failure" : "failures");
  }
  return failure;
}

std::optional<NamedPlace> named_place(std::string_view message) {
  std::optional<Head> head = head_of(message.substr(0, message.find('\n')));
  if (!head || head->line == 0 || head->file.find(' ') != head->file.npos) return std::nullopt;
  return NamedPlace{head->file, head->line};
}

namespace {

Place place_of(std::string function, std::string file, int line) {
  Place place;
  place.function = std::move(function);
  place.file = std::move(file);
  place.line = line;
  return place;
}

void take_printed(PrintedFailure printed, Finding* finding) {
  if (printed.file.empty()) {
    finding->message = std::move(printed.text);
    return;
  }
  finding->message =
      fmt::format("{}:{}: {}", symbols::file_name(printed.file), printed.line, printed.text);
  finding->stack = {place_of(printed.test.empty() ? "the test" : printed.test,
                             std::move(printed.file), printed.line)};
}

}  // namespace

void tell_assertion(Finding* finding) {
  bool is_counted = finding->message == wire::kCountedFailures;
  if (finding->kind == wire::Failure::exit || is_counted) {
    if (std::optional<PrintedFailure> printed = printed_failure(finding->output)) {
      take_printed(std::move(*printed), finding);
    }
    return;
  }
  if (finding->kind != wire::Failure::assertion) return;
  std::optional<NamedPlace> named = named_place(finding->message);
  if (!named) return;
  auto is_named = [&](const Place& place) {
    return place.line > 0 && symbols::file_name(place.file) == named->file;
  };
  auto at = std::ranges::find_if(finding->stack, is_named);
  if (at != finding->stack.end()) {
    finding->stack.erase(finding->stack.begin(), at);
    return;
  }
  // Told by the framework when the test was left already, by an exception.
  // Then main, which may be the framework's own, is all that there is of the user's.
  auto is_catch = [](const Place& place) { return place.function.starts_with("Catch::"); };
  const Place* user = user_place(finding->stack);
  bool in_catch = std::ranges::any_of(finding->stack, is_catch);
  if (user != nullptr && !user->system && !in_catch) return;
  finding->stack = {place_of("the test", std::string(named->file), named->line)};
}

}  // namespace heddle::trace
