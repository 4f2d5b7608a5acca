#include "cli/arguments.h"

#include <fmt/format.h>

#include "base/error.h"

namespace heddle::cli {

Arguments parse(unsigned verb, bool prefix, const Words& words) {
  Arguments arguments;
  for (size_t at = 0; at < words.size();) {
    const std::string& word = words[at];
    bool separated = word == "--";  // nothing behind it is an option
    bool is_option = word.size() > 1 && word[0] == '-';
    if (separated || (!is_option && prefix)) {
      auto begin = words.begin() + static_cast<ptrdiff_t>(at + (separated ? 1 : 0));
      arguments.rest.insert(arguments.rest.end(), begin, words.end());
      break;
    }
    if (word == "-h" || word == "--help") {
      arguments.help = true;
      ++at;
    } else if (is_option) {
      arguments.options.push_back(options::read_option(words, &at, verb));
    } else {
      arguments.rest.push_back(words[at++]);
    }
  }
  return arguments;
}

const std::string& only_schedule(const Arguments& arguments, const char* verb) {
  const Words& rest = arguments.rest;
  if (rest.empty()) {
    throw UserError(fmt::format("no schedule given; type: heddle {} [OPTIONS] FILE.heddle", verb));
  }
  if (rest.size() > 1) {
    throw UserError(fmt::format("one schedule at a time; leave out {}", rest[1]));
  }
  return rest[0];
}

}  // namespace heddle::cli
