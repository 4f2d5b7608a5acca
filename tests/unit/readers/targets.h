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

struct Target {
  const char* name;
  void (*run)(Bytes bytes);
};
inline constexpr Target kTargets[] = {{"schedule", schedule},
                                      {"saved_search", saved_search},
                                      {"observation", observation},
                                      {"region", region}};

// What saved_search() can be asked for, as names of strategies and whether they reduce.
struct SavedStrategy {
  const char* name;
  bool reduce;
};
inline constexpr SavedStrategy kSavedStrategies[] = {
    {"dfs", false}, {"dfs", true}, {"best-first", false}, {"random", false}, {"pct", false}};

}  // namespace heddle::readers
