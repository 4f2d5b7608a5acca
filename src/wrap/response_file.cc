// The expansion of response files: see response_file.h.
#include "wrap/response_file.h"

#include <filesystem>
#include <fstream>
#include <iterator>

namespace heddle::wrap {
namespace {

// Response files may name response files. A file that names itself would never end; the compilers
// refuse it, each with its own message, so here it is enough to stop.
constexpr int kDeepest = 50;

bool is_space(char c) { return std::string_view(" \t\n\v\f\r").find(c) != std::string_view::npos; }

void expand(const std::string& text, size_t argument, const FileReader& read, int depth,
            std::vector<Word>& out) {
  std::optional<std::string> content;
  if (text.size() > 1 && text[0] == '@' && depth < kDeepest) content = read(text.substr(1));
  if (!content) {
    out.push_back({text, argument});
    return;
  }
  for (const std::string& word : split_response(*content)) {
    expand(word, argument, read, depth + 1, out);
  }
}

}  // namespace

std::vector<std::string> split_response(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  bool in_word = false;
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '\\' && i + 1 < text.size()) {
      word += text[++i];
      in_word = true;
    } else if (quote != 0) {
      if (c == quote) {
        quote = 0;
      } else {
        word += c;
      }
    } else if (c == '\'' || c == '"') {
      quote = c;
      in_word = true;
    } else if (!is_space(c)) {
      word += c;
      in_word = true;
    } else if (in_word) {
      words.push_back(std::move(word));
      word.clear();
      in_word = false;
    }
  }
  if (in_word) words.push_back(std::move(word));
  return words;
}

std::vector<Word> expand_response_files(const std::vector<std::string>& arguments,
                                        const FileReader& read) {
  std::vector<Word> words;
  for (size_t i = 0; i < arguments.size(); ++i) expand(arguments[i], i, read, 0, words);
  return words;
}

std::optional<std::string> read_file(const std::string& path) {
  // A pipe can be read once only, and that is for the compiler to do.
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return std::nullopt;
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::string content{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  return content;
}

}  // namespace heddle::wrap
