#include "cli/help_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle::cli {

namespace {

using options::OptionRecord;

constexpr size_t kColumn = 28;  // where explanations begin
constexpr size_t kWidth = 96;
constexpr size_t kMany = 16;   // so many options are no longer shown at once
constexpr size_t kBrief = 64;  // characters

std::string all_options(const std::vector<Topic>& topics, unsigned verb) {
  std::string out;
  for (const Topic& topic : topics) {
    out += fmt::format("\n{}:\n", topic.heading);
    for (const OptionRecord* record : topic.options)
      out += option_line(*record, explanation(*record, verb));
  }
  return out;
}

std::string common_options(const std::vector<Topic>& topics, unsigned verb) {
  std::string out = "\nThe options that most people need:\n";
  for (const Topic& topic : topics) {
    for (const OptionRecord* record : topic.options) {
      if (record->common) out += option_line(*record, explanation(*record, verb));
    }
  }
  return out;
}

std::string topic_list(const std::vector<Topic>& topics) {
  std::string out = "\nThe others, by topic; heddle help TOPIC explains them:\n";
  for (const Topic& topic : topics) {
    std::string names;
    for (const OptionRecord* record : topic.options) {
      if (!record->common) names += fmt::format("{}--{}", names.empty() ? "" : " ", record->name);
    }
    if (!names.empty()) out += fmt::format("  {:<12}{}\n", topic.name, wrapped(names, 14));
  }
  return out;
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

}  // namespace

std::string wrapped(std::string_view text, size_t indent) {
  std::string out;
  size_t column = indent;
  while (!text.empty()) {
    size_t end = std::min(text.find(' '), text.size());
    std::string_view word = text.substr(0, end);
    if (column > indent && column + 1 + word.size() > kWidth) {
      out += "\n" + std::string(indent, ' ');
      column = indent;
    }
    if (column > indent) {
      out += ' ';
      ++column;
    }
    out += word;
    column += word.size();
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

std::string option_name(const OptionRecord& record) {
  if (record.metavar == nullptr) return fmt::format("--{}", record.name);
  return fmt::format("--{} {}", record.name, record.metavar);
}

std::string explanation(const OptionRecord& record, unsigned verb) {
  if (verb == options::kReplay && options::is_recorded(record.name)) {
    return fmt::format("{} (default: as when the schedule was made)", record.help);
  }
  if (record.default_text == nullptr) return record.help;
  return fmt::format("{} (default: {})", record.help, record.default_text);
}

std::string option_line(const OptionRecord& record, const std::string& text) {
  std::string name = "  " + option_name(record);
  if (name.size() + 2 > kColumn) {
    name += "\n" + std::string(kColumn, ' ');
  } else {
    name.resize(kColumn, ' ');
  }
  return name + wrapped(text, kColumn) + "\n";
}

std::string brief(const OptionRecord& record) {
  std::string_view help = record.help;
  if (help.size() <= kBrief) return std::string(help);
  size_t end = std::min(help.find_first_of(":;("), help.size());
  while (end > kBrief) end = help.rfind(' ', std::min(end - 1, kBrief));
  std::string_view cut = help.substr(0, end);
  cut = cut.substr(0, cut.find_last_not_of(" ,") + 1);
  return std::string(cut) + (end < help.size() && help[end] == ' ' ? "…" : "");
}

std::vector<Topic> topics(unsigned verbs) {
  std::vector<Topic> found;
  for (const OptionRecord& record : options::option_table()) {
    if ((record.verbs & verbs) == 0) continue;
    std::string_view heading = record.group;
    auto topic = std::ranges::find(found, heading, &Topic::heading);
    if (topic == found.end()) {
      found.push_back({lower(heading.substr(0, heading.find(' '))), record.group, {}});
      topic = found.end() - 1;
    }
    topic->options.push_back(&record);
  }
  return found;
}

std::string option_help(unsigned verb) {
  std::vector<Topic> all = topics(verb);
  size_t count = 0;
  for (const Topic& topic : all) count += topic.options.size();
  if (count <= kMany) return all_options(all, verb);
  return common_options(all, verb) + topic_list(all);
}

}  // namespace heddle::cli
