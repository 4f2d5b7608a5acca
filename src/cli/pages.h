// What is made from the option table when Heddle is built: completions of shells, and man pages.
#pragma once

#include <string>
#include <vector>

namespace heddle::cli {

// A script for bash, zsh or fish. Throws UserError for another shell.
std::string completion(const std::string& shell);

// "heddle", "heddle-run", …, "heddle-c++".
std::vector<std::string> man_pages();
// As roff. Throws UserError for a page that there is not.
std::string man_page(const std::string& name);

}  // namespace heddle::cli
