#include "options/parse_order.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.h"
#include "explore/order.h"
#include "symbols/nearest.h"

namespace heddle::options {

std::vector<std::string> parse_order(const std::string& text) {
  std::vector<std::string> known = explore::priority_names();
  std::vector<std::string> names;
  size_t begin = 0;
  while (begin <= text.size()) {
    size_t end = std::min(text.find(',', begin), text.size());
    std::string name = text.substr(begin, end - begin);
    begin = end + 1;
    if (name.empty()) {
      throw UserError(fmt::format("--order: {}; type names with commas between them, of: {}",
                                  text.empty() ? "it is empty" : "a name is missing",
                                  fmt::join(known, ", ")));
    }
    if (std::ranges::find(known, name) == known.end()) {
      std::string near = symbols::nearest(name, known);
      throw UserError(fmt::format("--order: there is no priority '{}'; known: {}{}", name,
                                  fmt::join(known, ", "),
                                  near.empty() ? "" : fmt::format("; did you mean {}?", near)));
    }
    if (std::ranges::find(names, name) != names.end()) {
      throw UserError(
          fmt::format("--order names {} twice: the second time it decides nothing", name));
    }
    names.push_back(name);
  }
  return names;
}

}  // namespace heddle::options
