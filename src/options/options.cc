#include "options/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "options/parse_guide.h"
#include "symbols/nearest.h"

namespace heddle::options {

namespace {

// Words separated by blanks, with the quotes and backslashes of a shell.
std::vector<std::string> split_words(const std::string& text) {
  std::vector<std::string> words;
  std::string word;
  bool inside = false;
  char quote = '\0';
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (quote == '\0' && (c == ' ' || c == '\t' || c == '\n')) {
      if (inside) words.push_back(std::move(word));
      word.clear();
      inside = false;
      continue;
    }
    inside = true;
    if (c == quote) {
      quote = '\0';
    } else if (quote == '\0' && (c == '"' || c == '\'')) {
      quote = c;
    } else if (c == '\\' && quote != '\'' && i + 1 < text.size()) {
      word += text[++i];
    } else {
      word += c;
    }
  }
  if (quote != '\0') throw UserError(fmt::format("a quotation mark {} is not closed", quote));
  if (inside) words.push_back(std::move(word));
  return words;
}

}  // namespace

const OptionRecord* find_option(std::string_view name) {
  for (const OptionRecord& record : option_table()) {
    if (name == record.name) return &record;
  }
  return nullptr;
}

std::string unknown_option(std::string_view word, unsigned verbs) {
  std::vector<std::string> names = {"help"};
  for (const OptionRecord& record : option_table()) {
    if ((record.verbs & verbs) != 0) names.emplace_back(record.name);
  }
  size_t begin = std::min(word.find_first_not_of('-'), word.size());
  std::string near = symbols::nearest(word.substr(begin), names);
  std::string message = fmt::format("unknown option {}{}", begin == 0 ? "--" : "", word);
  if (!near.empty()) message += fmt::format("; did you mean --{}?", near);
  return message;
}

void set_option(Options* options, const std::string& name, const std::string& value,
                unsigned verbs) {
  const OptionRecord* record = find_option(name);
  if (record == nullptr || (record->verbs & verbs) == 0)
    throw UserError(unknown_option(name, verbs));
  record->set(options, value);
}

GivenOption read_option(std::span<const std::string> words, size_t* at, unsigned verbs) {
  const std::string& word = words[(*at)++];
  size_t equals = word.find('=');
  std::string name = word.substr(0, equals);
  const OptionRecord* record = name.starts_with("--") ? find_option(name.substr(2)) : nullptr;
  if (record == nullptr || (record->verbs & verbs) == 0) {
    throw UserError(unknown_option(name, verbs));
  }
  if (equals != std::string::npos) return {record, word.substr(equals + 1)};
  if (record->metavar == nullptr) return {record, "true"};
  if (*at == words.size() || words[*at].starts_with("--")) {
    throw UserError(fmt::format("{} needs a value: {} {}", name, name, record->metavar));
  }
  return {record, words[(*at)++]};
}

void parse_option_text(Options* options, const std::string& text, unsigned verbs) {
  std::vector<std::string> words = split_words(text);
  for (size_t at = 0; at < words.size();) {
    if (!words[at].starts_with("--")) {
      throw UserError(fmt::format("'{}' is no option; options begin with --", words[at]));
    }
    GivenOption given = read_option(words, &at, verbs);
    given.record->set(options, given.value);
  }
}

const char* accesses_name(wire::Accesses accesses) {
  return accesses == wire::Accesses::all ? "all" : "sync";
}

const char* covered_accesses(const Options& options) {
  return options.uninstrumented ? "calls" : accesses_name(options.accesses);
}

const char* races_name(wire::Races races) {
  switch (races) {
    case wire::Races::ignore:
      return "ignore";
    case wire::Races::fail:
      return "fail";
    case wire::Races::explore:
      return "explore";
  }
  return "?";
}

// "3f2a…,77b0…"
std::string racing_text(const std::vector<uint64_t>& racing) {
  return fmt::format("{:x}", fmt::join(racing, ","));
}

wire::Isolation isolation_of(const Options& options) {
  return options.isolation.value_or(options.uninstrumented ? wire::Isolation::fork
                                                           : wire::Isolation::snapshot);
}

const char* isolation_name(wire::Isolation isolation) {
  switch (isolation) {
    case wire::Isolation::snapshot:
      return "snapshot";
    case wire::Isolation::fork:
      return "fork";
    case wire::Isolation::none:
      return "none";
  }
  return "?";
}

namespace {

const char* good_samaritan_name(wire::GoodSamaritan what) {
  switch (what) {
    case wire::GoodSamaritan::off:
      return "off";
    case wire::GoodSamaritan::warn:
      return "warn";
    case wire::GoodSamaritan::error:
      return "error";
  }
  return "?";
}

std::string fair_text(uint32_t interval) {
  if (interval == 0) return "off";
  return interval == wire::kFairOn ? "on" : std::to_string(interval);
}

}  // namespace

std::vector<std::pair<std::string, std::string>> execution_options(const Options& options) {
  return {{"accesses", accesses_name(options.accesses)},
          {"fair", fair_text(options.fair)},
          {"good-samaritan", good_samaritan_name(options.good_samaritan)},
          {"heap", std::to_string(options.heap)},
          {"isolation", isolation_name(isolation_of(options))},
          {"leaks", options.leaks ? "true" : "false"},
          {"livelock-after",
           options.livelock_after == 0 ? "none" : std::to_string(options.livelock_after)},
          {"max-steps", std::to_string(options.max_steps)},
          {"races", races_name(options.races)},
          {"retries", options.last_retries ? "last" : "all"},
          {"spin-rounds", std::to_string(options.spin_rounds)},
          {"spurious", options.spurious ? "true" : "false"},
          {"racing", racing_text(options.racing)},
          {"through", through_text(options.through)},
          {"uninstrumented", options.uninstrumented ? "true" : "false"},
          {"yield-after", std::to_string(options.yield_after)}};
}

bool is_recorded(std::string_view name) {
  for (const auto& [recorded, value] : execution_options(Options())) {
    if (name == recorded) return true;
  }
  return false;
}

}  // namespace heddle::options
