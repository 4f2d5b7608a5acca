#include "options/parse_compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "base/error.h"
#include "explore/strategies.h"

namespace heddle::options {

std::vector<std::string> parse_strategies(const std::string& text) {
  std::vector<std::string> names;
  std::istringstream words(text + ",");
  for (std::string name; std::getline(words, name, ',');) {
    if (name.empty()) {
      throw UserError(fmt::format(
          "--strategies '{}': a name is missing; type e.g. --strategies auto,random", text));
    }
    try {
      name = explore::find_strategy(name).name;
    } catch (const UserError& error) {
      throw UserError(fmt::format("--strategies {}: {}", text, error.what()));
    }
    if (std::ranges::find(names, name) != names.end()) {
      throw UserError(fmt::format("--strategies {} names {} twice", text, name));
    }
    names.push_back(name);
  }
  return names;
}

std::string parse_plot(const std::string& text) {
  if (text.ends_with(".svg") || text.ends_with(".html")) return text;
  throw UserError(fmt::format(
      "--plot '{}': the name ends neither with .svg nor with .html; type e.g. --plot plot.svg",
      text));
}

}  // namespace heddle::options
