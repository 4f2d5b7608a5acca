// A test that can be searched both ways: by `heddle run`, as a program; and by heddle::check, if
// the first argument is `check`, with the options of HEDDLE_OPTIONS. The other arguments are the
// test's.
#pragma once

#include <heddle/heddle.h>

#include <string>
#include <vector>

using Words = std::vector<std::string>;

inline int search_or_run(int argc, char** argv, void (*test)(const Words&)) {
  Words words(argv + 1, argv + argc);
  if (words.empty() || words[0] != "check") {
    test(words);
    return 0;
  }
  words.erase(words.begin());
  return heddle::check([&] { test(words); }).exit_code();
}
