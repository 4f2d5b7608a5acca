// What the programs of this folder share. A case is a class template of one bool, whether its code
// has the seeded bug, with two static functions over that code:
//   plain()   the test as one would write it without scripts: threads, and a check in the end;
//   script()  the same threads under a test script that describes the interleavings in question.
#pragma once

#include <heddle/scenario.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

namespace scenarios {

struct Case {
  const char* name;
  const char* races;  // "ignore" where the bug is the misuse of a library, a data race by itself
  void (*plain)();
  void (*plain_fixed)();
  void (*script)(heddle::Script&);
  void (*script_fixed)(heddle::Script&);
};

template <template <bool> class Test>
Case of(const char* name, const char* races = "fail") {
  return {
      name, races, Test<true>::plain, Test<false>::plain, Test<true>::script, Test<false>::script};
}

// Runs the functions in a thread each, until all of them have returned.
template <typename... Functions>
void together(Functions... functions) {
  std::vector<std::thread> threads;
  (threads.emplace_back(functions), ...);
  for (std::thread& thread : threads) thread.join();
}

// For the end of a script: who is left goes to its end, one after the other, in their order.
// Whoever waits for another is passed over until that has gone.
template <typename... Threads>
void finish(heddle::Script& s, const Threads&... threads) {
  auto go_on = [&](const heddle::script::Thread& thread) {
    if (s.ended(thread) || s.blocked(thread)) return;
    s.transfer(thread).until(heddle::script::end || heddle::script::blocked || "spins");
  };
  while (!(s.ended(threads) && ...)) (go_on(threads), ...);
}

// "37 failed assertion free_list.h:52": executions to the first failure, or all; the verdict; what
// failed and where. The whole report follows if SCENARIOS_REPORT is in the environment.
inline int print(const heddle::Report& report) {
  static constexpr const char* kVerdicts[] = {"passed", "failed", "incomplete"};
  const char* verdict = kVerdicts[static_cast<int>(report.verdict())];
  if (report.failures().empty()) {
    std::printf("%lu %s\n", static_cast<unsigned long>(report.executions()), verdict);
  } else {
    const heddle::Failure& failure = report.failures().front();
    std::printf("%lu %s %s %s\n", static_cast<unsigned long>(failure.execution), verdict,
                failure.kind.c_str(), failure.location.c_str());
  }
  if (report.executions() == 0 || std::getenv("SCENARIOS_REPORT") != nullptr) {
    std::printf("%s", report.text().c_str());
  }
  return report.exit_code();
}

inline int run_case(const Case& test, const char* mode, const char* strategy) {
  heddle::Options options;
  options.races(test.races).quiet();
  auto is = [mode](const char* name) { return std::strcmp(mode, name) == 0; };
  if (is("script")) return print(heddle::scenario(test.script, options));
  if (is("fixed")) return print(heddle::scenario(test.script_fixed, options));
  options.strategy(strategy).preemptions(2).executions(20000);
  if (is("plain")) return print(heddle::check(test.plain, options));
  if (is("plain-fixed")) return print(heddle::check(test.plain_fixed, options));
  return 2;
}

// PROGRAM CASE plain|plain-fixed|script|fixed [STRATEGY]; without arguments: the names of the
// cases.
inline int run(int argc, char** argv, const std::vector<Case>& cases) {
  if (argc < 2) {
    for (const Case& test : cases) std::printf("%s\n", test.name);
    return 0;
  }
  for (const Case& test : cases) {
    if (argc > 2 && std::strcmp(test.name, argv[1]) == 0) {
      return run_case(test, argv[2], argc > 3 ? argv[3] : "auto");
    }
  }
  std::fprintf(stderr, "usage: %s CASE plain|plain-fixed|script|fixed [STRATEGY]\n", argv[0]);
  return 2;
}

}  // namespace scenarios
