// What an option takes, for shells that complete it.
#pragma once

#include <string>
#include <vector>

#include "options/options.h"

namespace heddle::options {

struct Values {
  enum class Kind { none, any, words, list, file, directory };
  Kind kind = Kind::none;          // none: it is a flag; list: words with commas between them
  std::vector<std::string> words;  // of words and list
};

// By its metavar: on|off are words, FILE and DIR are what they say. Of names, those that are known.
Values values_of(const OptionRecord& record);

}  // namespace heddle::options
