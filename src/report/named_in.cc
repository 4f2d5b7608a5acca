#include "report/named_in.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <vector>

namespace heddle::report {

namespace {

namespace fs = std::filesystem;

constexpr size_t kMostFiles = 500;

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

bool has_word(std::string_view text, std::string_view word) {
  for (size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
    size_t end = at + word.size();
    bool begins = at == 0 || !is_word(text[at - 1]);
    if (begins && (end == text.size() || !is_word(text[end]))) return true;
  }
  return false;
}

// "queue.h" of the line `#include "queue.h"`; empty: it is no such line.
std::string_view included_by(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  if (!line.starts_with('#') || line.find("include") == line.npos) return {};
  size_t begin = line.find('"');
  size_t end = begin == line.npos ? line.npos : line.find('"', begin + 1);
  return end == line.npos ? std::string_view() : line.substr(begin + 1, end - begin - 1);
}

}  // namespace

bool is_named_in(const std::string& source, std::string_view name) {
  std::vector<fs::path> left = {source};
  std::set<fs::path> seen = {source};
  while (!left.empty()) {
    fs::path path = left.back();
    left.pop_back();
    std::ifstream file(path);
    std::string text{std::istreambuf_iterator<char>(file), {}};
    if (has_word(text, name)) return true;
    for (size_t at = 0; at < text.size() && seen.size() < kMostFiles;) {
      size_t end = std::min(text.find('\n', at), text.size());
      std::string_view included = included_by(std::string_view(text).substr(at, end - at));
      at = end + 1;
      if (included.empty()) continue;
      fs::path beside = (path.parent_path() / included).lexically_normal();
      if (seen.insert(beside).second) left.push_back(beside);
    }
  }
  return false;
}

}  // namespace heddle::report
