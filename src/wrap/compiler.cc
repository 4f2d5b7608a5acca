// Finding and recognising the wrapped compiler: see compiler.h.
#include "wrap/compiler.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <sstream>

namespace heddle::wrap {
namespace {

namespace fs = std::filesystem;

std::optional<Family> family_from_name(const fs::path& path) {
  const std::string name = path.filename();
  if (name.find("clang") != std::string::npos) return Family::kClang;
  if (name.find("gcc") != std::string::npos) return Family::kGcc;
  if (name.find("g++") != std::string::npos) return Family::kGcc;
  return std::nullopt;
}

// What the command writes to standard output; empty if it cannot be started.
std::string output_of(const std::vector<std::string>& command) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return {};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  pid_t child = 0;
  const int failed = posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  std::string output;
  char buffer[4096];
  for (ssize_t n; !failed && (n = read(ends[0], buffer, sizeof buffer)) > 0;) {
    output.append(buffer, static_cast<size_t>(n));
  }
  close(ends[0]);
  if (!failed) waitpid(child, nullptr, 0);
  return output;
}

}  // namespace

std::string variable_for(std::string_view tool) {
  return tool.ends_with("++") ? "HEDDLE_CXX" : "HEDDLE_CC";
}

Compiler parse_compiler(std::string_view tool, std::string_view setting) {
  Compiler compiler;
  compiler.variable = variable_for(tool);
  std::istringstream words{std::string(setting)};
  for (std::string word; words >> word;) {
    const bool is_command = compiler.arguments.empty() && word[0] != '-';
    (is_command ? compiler.command : compiler.arguments).push_back(word);
  }
  if (compiler.command.empty()) compiler.command = {tool.ends_with("++") ? "g++" : "gcc"};
  return compiler;
}

std::string resolve_program(const std::string& name) {
  std::error_code error;
  if (name.find('/') != std::string::npos) return fs::canonical(name, error);
  const char* path = std::getenv("PATH");
  std::istringstream dirs(path != nullptr ? path : "/bin:/usr/bin");
  for (std::string dir; std::getline(dirs, dir, ':');) {
    const fs::path candidate = fs::path(dir.empty() ? "." : dir) / name;
    if (access(candidate.c_str(), X_OK) != 0 || fs::is_directory(candidate, error)) continue;
    return fs::canonical(candidate, error);
  }
  return {};
}

Family family_of(const Compiler& compiler) {
  if (auto family = family_from_name(compiler.command.back())) return *family;
  if (auto family = family_from_name(resolve_program(compiler.command.back()))) return *family;
  std::vector<std::string> question = compiler.command;
  question.insert(question.end(), {"-dM", "-E", "-x", "c", "/dev/null"});
  const bool is_clang = output_of(question).find("#define __clang__ 1") != std::string::npos;
  return is_clang ? Family::kClang : Family::kGcc;
}

}  // namespace heddle::wrap
