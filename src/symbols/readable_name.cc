#include "symbols/readable_name.h"

#include <cxxabi.h>

#include <cctype>
#include <cstdlib>
#include <memory>

namespace heddle::symbols {
namespace {

constexpr std::string_view kLambda = "{lambda}";

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// One pass over a demangled name, which copies what is to stay.
class Shortener {
 public:
  explicit Shortener(std::string_view text, bool keep_arguments = false)
      : text_(text), keep_arguments_(keep_arguments) {}

  std::string run() {
    while (at_ < text_.size() && !done_) step();
    fold_lambdas();
    return std::move(out_);
  }

 private:
  void step() {
    std::string_view rest = text_.substr(at_);
    char c = rest.front();
    if (skip(rest, "(anonymous namespace)::") || skip(rest, "{anonymous}::") ||
        skip(rest, "__cxx11::")) {
      return;
    }
    if (rest.starts_with("operator") && (at_ == 0 || !is_word(text_[at_ - 1])) && rest.size() > 8 &&
        !is_word(rest[8])) {
      copy_operator(rest);
    } else if (rest.starts_with("{lambda") || rest.starts_with("<lambda")) {
      out_ += kLambda;
      at_ = past_bracket(at_);
    } else if (rest.starts_with("$_")) {  // Clang's lambdas: main::$_0
      out_ += kLambda;
      at_ += 2;
      while (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
    } else if (c == '<' && keep_arguments_) {
      size_t end = past_bracket(at_);
      out_ += text_.substr(at_, end - at_);
      at_ = end;
    } else if (c == '<' || c == '(' || rest.starts_with("[abi:")) {
      at_ = past_bracket(at_);
    } else if (c == '{') {
      size_t end = past_bracket(at_);
      out_ += text_.substr(at_, end - at_);
      at_ = end;
    } else if (c == ' ') {
      at_space(rest);
    } else {
      out_ += c;
      ++at_;
    }
  }

  bool skip(std::string_view rest, std::string_view what) {
    if (!rest.starts_with(what)) return false;
    at_ += what.size();
    return true;
  }

  // What stands before a space was a return type, unless qualifiers of the function follow.
  void at_space(std::string_view rest) {
    for (std::string_view suffix : {" const", " volatile", " &", " [clone", " noexcept"}) {
      if (rest.starts_with(suffix)) {
        done_ = true;
        return;
      }
    }
    out_.clear();
    ++at_;
  }

  void copy_operator(std::string_view rest) {
    size_t length = 8;
    if (rest.substr(8).starts_with("()") || rest.substr(8).starts_with("[]")) {
      length = 10;
    } else if (rest[8] == ' ') {  // operator new, operator bool, operator""_s
      while (length < rest.size() && rest[length] != '(' && rest[length] != '<') ++length;
    } else {
      while (length < rest.size() &&
             std::string_view("<>=-+*/%&|^!~,\"").find(rest[length]) != std::string_view::npos) {
        // "operator<<int>" is the operator < with template arguments, "operator<< <int>" is <<.
        if (rest[length] == '<' && length > 8 && template_arguments_start(rest, length)) break;
        ++length;
      }
    }
    out_ += rest.substr(0, length);
    at_ += length;
    if (at_ < text_.size() && text_[at_] == ' ' && at_ + 1 < text_.size() && text_[at_ + 1] == '<')
      ++at_;
  }

  static bool template_arguments_start(std::string_view rest, size_t at) {
    return at + 1 < rest.size() && is_word(rest[at + 1]);
  }

  // Past the bracket that closes the one at `from`; the end if it is never closed.
  size_t past_bracket(size_t from) const {
    int depth = 0;
    for (size_t i = from; i < text_.size(); ++i) {
      char c = text_[i];
      if (c == '<' || c == '(' || c == '{' || c == '[') ++depth;
      if (c == '>' && i > 0 && text_[i - 1] == '-') continue;
      if (c == '>' || c == ')' || c == '}' || c == ']') {
        if (--depth == 0) return i + 1;
      }
    }
    return text_.size();
  }

  // "main::{lambda}::operator()" is the lambda itself.
  void fold_lambdas() {
    for (std::string_view tail : {"::operator()", "::_FUN", "::__invoke"}) {
      std::string pattern = std::string(kLambda) + std::string(tail);
      for (size_t i = out_.find(pattern); i != std::string::npos; i = out_.find(pattern)) {
        out_.erase(i + kLambda.size(), tail.size());
      }
    }
  }

  std::string_view text_;
  bool keep_arguments_;  // of templates
  size_t at_ = 0;
  bool done_ = false;
  std::string out_;
};

}  // namespace

std::string demangle(const std::string& name) {
  if (!name.starts_with("_Z")) return name;
  // "foo.cold" and "foo.constprop.0": parts of functions that the compiler made.
  std::string plain = name.substr(0, name.find('.'));
  int status = 0;
  std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(plain.c_str(), nullptr, nullptr, &status), std::free);
  return status == 0 && text ? text.get() : plain;
}

std::string name_with_arguments(std::string_view demangled) {
  return Shortener(demangled, true).run();
}

std::string name_without_arguments(std::string_view demangled) {
  return Shortener(demangled).run();
}

std::string shorten_function(std::string_view demangled) {
  std::string name = Shortener(demangled).run();
  if (name.empty()) name = demangled;
  return name.ends_with(kLambda) ? name : name + "()";
}

std::string readable_function(const std::string& linkage_name) {
  return linkage_name.empty() ? "" : shorten_function(demangle(linkage_name));
}

std::string readable_variable(const std::string& linkage_name) {
  std::string name = demangle(linkage_name);
  for (std::string_view special :
       {"guard variable for ", "vtable for ", "typeinfo for ", "VTT for "}) {
    if (name.starts_with(special)) {
      return std::string(special) + readable_variable(name.substr(special.size()));
    }
  }
  std::string shorter = Shortener(name).run();
  return shorter.empty() ? name : shorter;
}

std::string file_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

}  // namespace heddle::symbols
