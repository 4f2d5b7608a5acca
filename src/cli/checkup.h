// What Heddle needs of a machine, looked at piece by piece.
#pragma once

#include <string>
#include <vector>

namespace heddle::cli {

struct Finding {
  enum class Grade { ok, warning, problem };
  std::string name;  // "kernel", "address space", …
  Grade grade = Grade::ok;
  std::string found;   // what there is
  std::string advice;  // what to do; empty if all is well
};

// All checks, in the order in which they are told. The last ones build and search a small test.
std::vector<Finding> check_machine();

struct CommandResult {
  int exit = -1;  // -1: it could not be started, or was ended by a signal
  std::string output;
};

// Runs it in the directory, with standard output and error taken together, and `variables`
// ("NAME=value") in its environment.
CommandResult run_command(const std::vector<std::string>& command, const std::string& directory,
                          const std::vector<std::string>& variables = {});

// Those that try Heddle itself: checkup_trial.cc.
void try_compilers(std::vector<Finding>* findings);

}  // namespace heddle::cli
