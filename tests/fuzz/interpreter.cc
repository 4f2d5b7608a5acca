// Interprets small concurrent programs (interpreter_program.h), for the fuzzer.
//
//   heddle run OPTIONS ./interpreter 'PROGRAM'      runs one; prints `final VALUES` in the end
//   ./interpreter --compare FILE [FROM] [OPTION…]   compares searches of each line of a file
//   ./interpreter --outcomes FILE                   prints what the plain search of each line finds
#include <signal.h>
#include <sys/prctl.h>

#include <cstdio>
#include <cstring>
#include <exception>
#include <fstream>
#include <string>
#include <vector>

#include "interpreter_compare.h"
#include "interpreter_program.h"
#include "interpreter_run.h"

namespace {

std::vector<std::string> own_arguments() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> words;
  for (std::string word; std::getline(file, word, '\0');) words.push_back(word);
  return words;
}

struct Given {
  bool valid = false;
  fuzz::Program program{};
};

// Parsed before main, where control begins: parsing is no part of an execution.
Given parse_own() {
  Given given;
  std::vector<std::string> words = own_arguments();
  if (words.size() != 2 || words[1].starts_with("--")) return given;
  try {
    given.program = fuzz::parse(words[1]);
    given.valid = true;
  } catch (const std::exception& error) {
    fprintf(stderr, "interpreter: %s\n", error.what());
  }
  return given;
}

const Given g_given = parse_own();

}  // namespace

FUZZ_QUIET int main(int count, char** arguments) {
  if (g_given.valid) {
    fuzz::run(g_given.program, 0);
    return 0;
  }
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // nobody would read what it finds
  if (count >= 3 && strcmp(arguments[1], "--compare") == 0) {
    return fuzz::compare_file(arguments[2], arguments + 3);
  }
  if (count == 3 && strcmp(arguments[1], "--outcomes") == 0) {
    return fuzz::tell_outcomes(arguments[2]);
  }
  fprintf(stderr,
          "usage: interpreter PROGRAM | --compare FILE [OPTION=VALUE…] | --outcomes FILE\n");
  return 2;
}
