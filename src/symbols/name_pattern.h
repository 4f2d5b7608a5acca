// A name of a function or variable as a person types it: plain ("enqueue"), qualified as far as
// wanted ("Port::enqueue"), with template arguments or without ("Port<int>::enqueue"), or a pattern
// ("Port::*"), in which a star stands for anything.
#pragma once

#include <string>
#include <string_view>

namespace heddle::symbols {

class NamePattern {
 public:
  explicit NamePattern(std::string_view text);

  // `demangled` is a whole name, with or without parameters: "ns::Port<int>::enqueue(int)".
  bool matches(std::string_view demangled) const;

  // The demangled name in the form, and as far qualified, as the pattern is.
  std::string alike(std::string_view demangled) const;

 private:
  std::string form_of(std::string_view demangled) const;

  std::string text_;
  bool has_arguments_;  // of templates
};

}  // namespace heddle::symbols
