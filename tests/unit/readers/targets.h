// What is fuzzed: readers of bytes that anybody may have written, each as a function that takes any
// bytes and must do nothing worse than to refuse them. `./dev fuzz` runs them under libFuzzer
// (tests/fuzzers), readers_test.cc with a few thousand changes to each file of their corpus.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace heddle::readers {

using Bytes = std::span<const uint8_t>;

void schedule(Bytes bytes);      // a schedule file
void saved_search(Bytes bytes);  // the strategy's part; the first byte says which strategy
void observation(Bytes bytes);   // a result with its digest, or with its steps
void region(Bytes bytes);        // writes over a region, of which evidence and a finding are made
void subtree(Bytes bytes);       // what a worker tells of a subtree
void part(Bytes bytes);          // what one of several parts of a search leaves behind
void task(Bytes bytes);          // subtrees that come from another machine
void shared(Bytes bytes);        // what Redis has of a search; the first byte says which of it

struct Target {
  const char* name;
  void (*run)(Bytes bytes);
};
inline constexpr Target kTargets[] = {{"schedule", schedule},
                                      {"saved_search", saved_search},
                                      {"observation", observation},
                                      {"region", region},
                                      {"subtree", subtree},
                                      {"part", part},
                                      {"task", task},
                                      {"shared", shared}};

// What saved_search() can be asked for, as names of strategies, whether they reduce, and of how
// many parts of the search it is the second.
struct SavedStrategy {
  const char* name;
  bool reduce;
  uint32_t parts;
};
inline constexpr SavedStrategy kSavedStrategies[] = {
    {"dfs", false, 0}, {"dfs", true, 0},  {"best-first", false, 0}, {"random", false, 0},
    {"pct", false, 0}, {"dfs", false, 2}, {"dfs", true, 2},         {"dfs", true, 20}};

}  // namespace heddle::readers
