// The command line of a verb, by the option table.
#pragma once

#include <string>
#include <vector>

#include "cli/verbs.h"
#include "options/options.h"
#include "session/subject.h"

namespace heddle::cli {

struct Arguments {
  std::vector<options::GivenOption> options;
  Words rest;        // what is no option
  size_t named = 0;  // so many of these stand before --, or all, if there is none
  bool help = false;

  void apply(session::Options* values) const {
    for (const options::GivenOption& given : options) given.record->set(values, given.value);
  }
};

// `prefix`: the first word that is no option ends the options; all that follows belongs to the
// program. Throws UserError.
Arguments parse(unsigned verb, bool prefix, const Words& words);

// The file of a verb that takes one. Throws UserError.
const std::string& only_schedule(const Arguments& arguments, const char* verb);

// That what the options ask for can be written. Throws UserError.
void check_output(const session::Options& options);

// The program that the arguments of a verb name, for a search with these options; they are
// completed by what it is. Throws UserError.
session::Subject subject_to_search(const char* verb, const Arguments& arguments,
                                   session::Options* options);

}  // namespace heddle::cli
