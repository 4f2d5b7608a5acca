// How the command ends, and what heddle::Report::exit_code() says. Part of the contract with
// scripts.
#pragma once

namespace heddle {

// HEDDLE_EXIT_CODE(identifier, code, meaning)
#define HEDDLE_EXIT_CODES(HEDDLE_EXIT_CODE)                                                    \
  HEDDLE_EXIT_CODE(ok, 0,                                                                      \
                   "no failure: the search is complete, or its budget is exhausted (the last " \
                   "line says which)")                                                         \
  HEDDLE_EXIT_CODE(failed, 1, "a failure was found, or reproduced")                            \
  HEDDLE_EXIT_CODE(refused, 2, "bad usage, or a program that does something unsupported")      \
  HEDDLE_EXIT_CODE(unrepeatable, 3, "the test is not repeatable: the same schedule diverged")  \
  HEDDLE_EXIT_CODE(internal, 4, "internal error: a bug in Heddle")                             \
  HEDDLE_EXIT_CODE(interrupted, 130, "interrupted (Ctrl-C)")

namespace exit_code {
#define HEDDLE_EXIT_CODE(id, code, meaning) inline constexpr int id = code;
HEDDLE_EXIT_CODES(HEDDLE_EXIT_CODE)
#undef HEDDLE_EXIT_CODE
}  // namespace exit_code

}  // namespace heddle
