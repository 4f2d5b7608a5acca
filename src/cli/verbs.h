// The verbs of the command: one file each. Each gets the words behind it, and returns the exit
// code.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::cli {

using Words = std::vector<std::string>;

struct Verb {
  const char* name;
  const char* help;
  int (*run)(const Words& words);
  unsigned options;  // its bit in the option table; 0: it has none
};

std::span<const Verb> verbs();

int run(const Words& words);          // run.cc
int replay(const Words& words);       // replay.cc
int show(const Words& words);         // show.cc
int yields(const Words& words);       // yields.cc
int cooperative(const Words& words);  // cooperative.cc
int compare(const Words& words);      // compare.cc
int guide(const Words& words);        // guide.cc
int gtest(const Words& words);        // suites.cc
int catch2(const Words& words);       // suites.cc
int doctest(const Words& words);      // suites.cc
int merge(const Words& words);        // merge.cc
int worker(const Words& words);       // worker.cc
int doctor(const Words& words);       // doctor.cc
int help(const Words& words);         // help.cc

// Texts of help.cc.
std::string usage();                        // a few lines
std::string verb_help(unsigned verb);       // options::Verbs
std::string_view verb_text(unsigned verb);  // how to call it, and what it does
std::string exit_codes(unsigned verb);      // a line for each

}  // namespace heddle::cli
