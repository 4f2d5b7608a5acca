// Compares searches that must cover the same, of many programs in one process.
//
// Plain depth-first search is the measure, as in tests/oracle/reduction_compare.py, whose rules
// these are: a search with reduction finds the same fingerprints, failures and final values; a
// search with a bound makes the same executions in every order, each once; one of which workers
// search subtrees makes as many; one that leaves rounds of retry loops out comes to the same ends;
// one that stops where it has been before finds what a plain one with the same bound finds. A
// search takes some milliseconds to begin, so programs are searched together, by the hundred: the
// first thing that an execution does is to choose its program. Where sets differ, halves are looked
// at, down to the program.
#pragma once

namespace fuzz {

// The programs are the lines of the file. Arguments, up to a null pointer: turn=N (which of the
// ways to search come first), ways=N, bounded=N, matching=N, subtrees=N and retries=N (how many for
// each program), limit=N (executions of a plain search), batch=N; or only=OPTIONS: this way to
// search, as it was printed. Prints a line for each program that differs or was too long, and one
// with totals.
int compare_file(const char* path, char** arguments);

// Prints what the plain search of each program finds: its failures, and its final values.
int tell_outcomes(const char* path);

}  // namespace fuzz
