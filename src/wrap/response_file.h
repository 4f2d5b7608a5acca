// Response files (@file on a command line), read as GCC and Clang read them.
//
// The wrappers look into response files to know what a command does, and pass the files on as they
// are. Only a file that holds an option which has to go is replaced by its words.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::wrap {

// The content of a file, or nothing if it cannot be read.
using FileReader = std::function<std::optional<std::string>(const std::string& path)>;

// One word of a command line after the expansion of its response files.
struct Word {
  std::string text;
  size_t argument;  // index of the argument, as given, that the word comes from
};

// Words are separated by white space; quotes of both kinds hold them together, a backslash takes
// the next character as it is.
std::vector<std::string> split_response(std::string_view text);

// A file that cannot be read is no response file: the compilers then take "@name" as it stands.
std::vector<Word> expand_response_files(const std::vector<std::string>& arguments,
                                        const FileReader& read);

// Regular files only.
std::optional<std::string> read_file(const std::string& path);

}  // namespace heddle::wrap
