#include "options/parse_focus.h"

#include <fmt/format.h>

#include "base/error.h"

namespace heddle::options {

std::vector<std::string> parse_focus(const char* option, const std::string& text) {
  std::vector<std::string> names;
  std::string name;
  int depth = 0;
  auto keep = [&] {
    size_t begin = name.find_first_not_of(' ');
    size_t end = name.find_last_not_of(' ');
    if (begin == std::string::npos) {
      throw UserError(fmt::format("--{}: '{}' has an empty name; type e.g. --{} {}", option, text,
                                  option,
                                  option == std::string("focus-var") ? "head"
                                  : option == std::string("through") ? "queue.h:41,Queue::pop"
                                                                     : "push,pop"));
    }
    names.push_back(name.substr(begin, end + 1 - begin));
    name.clear();
  };
  for (char c : text) {
    if (c == '<' || c == '(') ++depth;
    if (c == '>' || c == ')') --depth;
    if (c == ',' && depth <= 0) {
      keep();
    } else {
      name += c;
    }
  }
  keep();
  return names;
}

}  // namespace heddle::options
