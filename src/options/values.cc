#include "options/values.h"

#include <algorithm>
#include <string_view>

#include "explore/order.h"
#include "explore/strategies.h"

namespace heddle::options {

namespace {

std::vector<std::string> strategy_names() {
  std::vector<std::string> names;
  for (const explore::StrategyRecord& record : explore::strategies())
    names.emplace_back(record.name);
  return names;
}

// Of "N|none" the parts that can be typed as they are: none.
std::vector<std::string> literal_parts(std::string_view metavar) {
  std::vector<std::string> parts;
  while (!metavar.empty()) {
    std::string_view part = metavar.substr(0, metavar.find('|'));
    bool literal = std::ranges::all_of(part, [](char c) { return c >= 'a' && c <= 'z'; });
    if (literal) parts.emplace_back(part);
    metavar.remove_prefix(std::min(part.size() + 1, metavar.size()));
  }
  return parts;
}

}  // namespace

Values values_of(const OptionRecord& record) {
  using Kind = Values::Kind;
  if (record.metavar == nullptr) return {};
  std::string_view metavar = record.metavar, name = record.name;
  if (metavar == "FILE" || metavar == "PATH" || metavar == "REPORT") return {Kind::file, {}};
  if (metavar == "DIR") return {Kind::directory, {}};
  if (name == "strategy") return {Kind::words, strategy_names()};
  if (name == "strategies") return {Kind::list, strategy_names()};
  if (name == "order") return {Kind::list, explore::priority_names()};
  std::vector<std::string> words = literal_parts(metavar);
  if (name == "samplers") {
    std::vector<std::string> samplers = explore::sampler_names();
    samplers.insert(samplers.end(), words.begin(), words.end());
    return {Kind::list, samplers};
  }
  return {words.empty() ? Kind::any : Kind::words, words};
}

}  // namespace heddle::options
