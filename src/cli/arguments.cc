#include "cli/arguments.h"

#include <fmt/format.h>

#include "base/error.h"
#include "session/output.h"
#include "session/program.h"

namespace heddle::cli {

Arguments parse(unsigned verb, bool prefix, const Words& words) {
  Arguments arguments;
  for (size_t at = 0; at < words.size();) {
    const std::string& word = words[at];
    bool separated = word == "--";  // nothing behind it is an option
    bool is_option = word.size() > 1 && word[0] == '-';
    if (separated || (!is_option && prefix)) {
      auto begin = words.begin() + static_cast<ptrdiff_t>(at + (separated ? 1 : 0));
      arguments.named = arguments.rest.size();
      arguments.rest.insert(arguments.rest.end(), begin, words.end());
      return arguments;
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
  arguments.named = arguments.rest.size();
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

void check_output(const session::Options& options) {
  if (options.trace && options.json.empty()) {
    throw UserError("--trace is for the JSON; type e.g. --trace --json result.json");
  }
  session::check_json_file(options);
}

session::Subject subject_to_search(const char* verb, const Arguments& arguments,
                                   session::Options* options) {
  session::Program program = session::find_program(arguments.rest, options->uninstrumented, verb);
  // One that was built with the wrappers loses nothing.
  if (program.preload.empty()) options->uninstrumented = false;
  session::Subject subject = session::subject_of(program, "");
  check_output(*options);
  return subject;
}

}  // namespace heddle::cli
