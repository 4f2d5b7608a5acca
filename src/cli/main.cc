// The command `heddle`: takes the verb, and turns errors into exit codes.
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <exception>
#include <new>
#include <system_error>

#include "base/error.h"
#include "base/exit_code.h"
#include "base/limits.h"
#include "base/printable.h"
#include "cli/verbs.h"
#include "options/options.h"
#include "session/debugger.h"
#include "symbols/nearest.h"

namespace heddle::cli {

namespace {

constexpr auto kVerbs = std::to_array<Verb>({
    {"run", "find a failing schedule of a program, or cover them all", run, options::kRun},
    {"replay", "run a program along a schedule that was found", replay, options::kReplay},
    {"show", "print the report of a failure again, without running anything", show, options::kShow},
    {"yields", "list the places of a program where threads conflict", yields, options::kYields},
    {"cooperative", "check that the yield points of a program are enough", cooperative,
     options::kCooperative},
    {"compare", "find out which strategy suits a program", compare, options::kCompare},
    {"guide", "find out whether the warnings of other tools come true", guide, options::kGuide},
    {"gtest", "run each test of a GoogleTest program as a search of its own", gtest,
     options::kGtest},
    {"catch2", "the same for Catch2", catch2, options::kCatch2},
    {"doctest", "the same for doctest", doctest, options::kDoctest},
    {"merge", "join the parts of a search into one report", merge, options::kMerge},
    {"worker", "take part in searches that many machines share", worker, options::kWorker},
    {"doctor", "check that Heddle can work on this machine", doctor, options::kDoctor},
    {"help", "explain a verb, an option, or the options of a topic", help, 0},
});

int dispatch(const Words& words) {
  if (words.empty()) {
    fmt::print(stderr, "{}", usage());
    return exit_code::refused;
  }
  if (words[0] == "--version") {
    fmt::print("heddle {}\n", HEDDLE_VERSION);
    return 0;
  }
  if (words[0] == "--help" || words[0] == "-h") return help({});
  if (words[0] == session::kStartDebugged) {
    session::start_debugged({words.begin() + 1, words.end()});
  }
  for (const Verb& verb : kVerbs) {
    if (words[0] == verb.name) return verb.run({words.begin() + 1, words.end()});
  }
  std::vector<std::string> names = {"--version", "--help"};
  for (const Verb& verb : kVerbs) names.emplace_back(verb.name);
  bool is_path = words[0].find('/') != std::string::npos;
  bool is_here = !is_path && access(words[0].c_str(), F_OK) == 0;
  std::string near = is_path || is_here ? "" : symbols::nearest(words[0], names);
  if (!near.empty()) {
    throw UserError(fmt::format("there is no verb '{}'; did you mean heddle {}?", words[0], near));
  }
  throw UserError(fmt::format("there is no verb '{}'; to test a program, type: heddle run {}{}",
                              words[0], is_here ? "./" : "", words[0]));
}

int complain(int code, const char* message) {
  fflush(stdout);
  fmt::print(stderr, "heddle: {}\n", printable(message, "\n"));
  return code;
}

}  // namespace

std::span<const Verb> verbs() { return kVerbs; }

int guarded(const Words& words) {
  try {
    return dispatch(words);
  } catch (const UserError& error) {
    return complain(exit_code::refused, error.what());
  } catch (const std::bad_alloc&) {
    return complain(exit_code::internal, "out of memory");
  } catch (const std::system_error& error) {
    return complain(exit_code::refused, words_of(error).c_str());
  } catch (const std::exception& error) {
    return complain(exit_code::internal,
                    fmt::format("internal error, please report it: {}", error.what()).c_str());
  }
}

}  // namespace heddle::cli

int main(int argc, char** argv) { return heddle::cli::guarded({argv + 1, argv + argc}); }
