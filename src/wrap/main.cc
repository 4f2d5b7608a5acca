// heddle-cc and heddle-c++: the compiler as it is, plus instrumentation and runtime.
//
// One program under two names. It reads the command, adds its part and becomes the compiler: exit
// code, output and signals are the compiler's own. What cannot work with Heddle is refused before
// that, with exit code 2. Under a third name, heddle-as, it is what the compiler takes for
// its assembler.
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "wrap/assembler.h"
#include "wrap/compose.h"
#include "wrap/plain_object.h"
#include "wrap/refusal.h"

namespace {

using namespace heddle::wrap;

constexpr int kRefused = 2;

int refuse(const std::string& tool, const std::string& message) {
  std::fprintf(stderr, "%s: %s\n", tool.c_str(), message.c_str());
  return kRefused;
}

void warn_of_plain_objects(const std::string& tool, const CommandLine& line) {
  if (!line.links || !line.instruments) return;
  for (const std::string& path : line.objects) {
    std::ifstream file(path, std::ios::binary);
    std::string content((std::istreambuf_iterator<char>(file)), {});
    if (!is_plain_object(content)) continue;
    std::fprintf(stderr,
                 "%s: warning: %s was compiled without %s: searches will not see what its code "
                 "does; if it was left "
                 "behind by another build, remove it, and build again\n",
                 tool.c_str(), path.c_str(), tool.c_str());
  }
}

// Returns only if the compiler cannot be started.
std::string become(const std::vector<std::string>& command) {
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  execvp(argv[0], argv.data());
  return explain_start_failure(errno);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string tool = std::filesystem::path(argc > 0 ? argv[0] : "heddle-c++").filename();
  std::vector<std::string> given(argv + (argc > 0 ? 1 : 0), argv + argc);
  if (tool == "heddle-as") return assemble(given);
  const bool print_only = !given.empty() && given[0] == "--heddle-print";
  if (print_only) given.erase(given.begin());

  const char* setting = std::getenv(variable_for(tool).c_str());
  const Compiler compiler = parse_compiler(tool, setting != nullptr ? setting : "");
  if (auto reason = unusable_compiler(compiler)) return refuse(tool, *reason);

  given.insert(given.begin(), compiler.arguments.begin(), compiler.arguments.end());
  const Installation installation = find_installation();
  const CommandLine line = read_command_line(given, read_file);
  const Family family = line.has_input ? family_of(compiler) : Family::kGcc;
  if (auto reason = reason_to_refuse(line)) return refuse(tool, *reason);
  if (auto reason = missing_part(line, family, installation)) return refuse(tool, *reason);

  const std::vector<std::string> command = compose(compiler, family, installation, line);
  if (print_only) return std::puts(quote(command).c_str()) < 0 ? kRefused : 0;
  warn_of_plain_objects(tool, line);
  return refuse(tool, command[0] + ": " + become(command));
}
