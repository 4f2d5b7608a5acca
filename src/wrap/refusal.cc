// The refusals and their wording: see refusal.h.
#include "wrap/refusal.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace heddle::wrap {

std::optional<std::string> reason_to_refuse(const CommandLine& line) {
  if (!line.has_input) return std::nullopt;
  if (!line.machine_option.empty()) {
    return line.machine_option +
           ": Heddle runs 64-bit x86 programs only; build the test without this option";
  }
  if (!line.sanitizer_option.empty()) {
    return line.sanitizer_option +
           ": this sanitizer's runtime and Heddle's cannot share a program; build the test without "
           "it (-fsanitize=undefined may stay)";
  }
  if (!line.static_option.empty()) {
    return line.static_option +
           ": Heddle controls a program through the dynamic linker; link dynamically, without this "
           "option";
  }
  return std::nullopt;
}

std::optional<std::string> missing_part(const CommandLine& line, Family family,
                                        const Installation& installation) {
  if (!line.has_input) return std::nullopt;
  const auto missing = [](const std::string& path) { return access(path.c_str(), R_OK) != 0; };
  constexpr const char* kAdvice =
      ": not found; this copy of Heddle is incomplete, install it again";
  if (family == Family::kGcc && line.instruments && missing(installation.specs)) {
    return installation.specs + kAdvice;
  }
  if (line.links && missing(installation.runtime)) return installation.runtime + kAdvice;
  return std::nullopt;
}

std::optional<std::string> unusable_compiler(const Compiler& compiler) {
  // Between a launcher and the compiler there may stand what is neither: "env LANG=C g++".
  for (const std::string& word : {compiler.command.front(), compiler.command.back()}) {
    const std::string program = resolve_program(word);
    if (program.empty()) {
      const char* example = compiler.variable == "HEDDLE_CXX" ? "=clang++" : "=clang";
      return word + ": no such compiler; set " + compiler.variable +
             " to the one to use, for example " + compiler.variable + example;
    }
    if (program.ends_with("/heddle-cc") || program.ends_with("/heddle-c++")) {
      return word + ": this is Heddle's own wrapper, not a compiler; set " + compiler.variable +
             " to the full path of the compiler";
    }
  }
  return std::nullopt;
}

std::string explain_start_failure(int error) {
  if (error == E2BIG) {
    return "the command is too long for the system; if -fsanitize=thread stands in a response "
           "file, remove it there (Heddle brings its own instrumentation)";
  }
  return std::strerror(error);
}

}  // namespace heddle::wrap
