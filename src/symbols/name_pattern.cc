#include "symbols/name_pattern.h"

#include <algorithm>
#include <cctype>
#include <vector>

#include "symbols/readable_name.h"

namespace heddle::symbols {
namespace {

bool glob(std::string_view pattern, std::string_view text) {
  size_t star = std::string_view::npos;  // the last one seen, and how far it reaches
  size_t reach = 0;
  size_t p = 0;
  for (size_t t = 0; t < text.size();) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      reach = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++reach;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

void remove_spaces(std::string* text) { std::erase(*text, ' '); }

bool is_operator(std::string_view name) {
  constexpr std::string_view kWord = "operator";
  if (!name.starts_with(kWord) || name.size() == kWord.size()) return false;
  char next = name[kWord.size()];
  return std::isalnum(static_cast<unsigned char>(next)) == 0 && next != '_';
}

// Where the parts of a qualified name begin, but not those of its template arguments.
std::vector<size_t> parts_of(std::string_view name) {
  std::vector<size_t> parts{0};
  int depth = 0;
  for (size_t i = 0; i < name.size(); ++i) {
    if (is_operator(name.substr(i))) break;
    if (name[i] == '<') ++depth;
    if (name[i] == '>') --depth;
    if (depth == 0 && name.substr(i).starts_with("::")) parts.push_back(i + 2);
  }
  return parts;
}

}  // namespace

NamePattern::NamePattern(std::string_view text) : text_(text) {
  if (text_.starts_with("::")) text_.erase(0, 2);
  if (text_.ends_with("()") && !text_.ends_with("operator()")) text_.resize(text_.size() - 2);
  has_arguments_ =
      text_.find('<') != std::string::npos && text_.find("operator<") == std::string::npos;
  if (has_arguments_) remove_spaces(&text_);
}

std::string NamePattern::form_of(std::string_view demangled) const {
  if (!has_arguments_) return name_without_arguments(demangled);
  std::string name = name_with_arguments(demangled);
  remove_spaces(&name);
  return name;
}

bool NamePattern::matches(std::string_view demangled) const {
  std::string name = form_of(demangled);
  std::vector<size_t> parts = parts_of(name);
  return std::any_of(parts.begin(), parts.end(),
                     [&](size_t part) { return glob(text_, std::string_view(name).substr(part)); });
}

std::string NamePattern::alike(std::string_view demangled) const {
  std::string name = form_of(demangled);
  std::vector<size_t> parts = parts_of(name);
  size_t wanted = std::min(parts_of(text_).size(), parts.size());
  return name.substr(parts[parts.size() - wanted]);
}

}  // namespace heddle::symbols
