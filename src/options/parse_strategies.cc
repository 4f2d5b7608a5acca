#include "options/parse_strategies.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>

#include "base/error.h"
#include "explore/strategies.h"

namespace heddle::options {

namespace {

// Names with commas between them, each once. `find` gives the right one, or throws UserError.
template <typename Find>
std::vector<std::string> parse_names_of(const char* option, const std::string& text,
                                        const char* example, Find find) {
  std::vector<std::string> names;
  std::istringstream words(text + ",");
  for (std::string name; std::getline(words, name, ',');) {
    if (name.empty()) {
      throw UserError(fmt::format("--{} '{}': a name is missing; type e.g. --{} {}", option, text,
                                  option, example));
    }
    try {
      name = find(name);
    } catch (const UserError& error) {
      throw UserError(fmt::format("--{} {}: {}", option, text, error.what()));
    }
    if (std::ranges::find(names, name) != names.end()) {
      throw UserError(fmt::format("--{} {} names {} twice", option, text, name));
    }
    names.push_back(name);
  }
  return names;
}

}  // namespace

std::vector<std::string> parse_strategies(const std::string& text) {
  return parse_names_of("strategies", text, "auto,random", [](const std::string& name) {
    return std::string(explore::find_strategy(name).name);
  });
}

std::vector<std::string> parse_samplers(const std::string& text) {
  if (text == "none") return {};
  return parse_names_of("samplers", text, "rf,pos", [](const std::string& name) {
    std::vector<std::string> known = explore::sampler_names();
    if (std::ranges::find(known, name) != known.end()) return name;
    throw UserError(
        fmt::format("there is no sampler '{}'; known: {}", name, fmt::join(known, ", ")));
  });
}

std::string parse_plot(const std::string& text) {
  if (text.ends_with(".svg") || text.ends_with(".html")) return text;
  throw UserError(fmt::format(
      "--plot '{}': the name ends neither with .svg nor with .html; type e.g. --plot plot.svg",
      text));
}

}  // namespace heddle::options
