// A priority function of the user's own. It decides which schedules come first, sees what the two
// threads of a switch do next, and changes nothing in what is covered; what it throws comes out of
// heddle::check.
// COMPILERS: gcc clang
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: HEDDLE_OPTIONS="--strategy dfs --executions 20 --json %t.json" %t bug none
// OUT: incomplete
// RUN: HEDDLE_OPTIONS="--executions 10 --json %t.json" %t bug user
// EXIT: 1
// JSON: (j["strategy"]["name"], j["strategy"]["order"]) == ("best-first", "user,ss,mdpor")
// RUN: HEDDLE_OPTIONS="--executions 100 --order user,pb --json %t.json" %t bug user
// EXIT: 1
// JSON: j["strategy"]["order"] == "user,pb"
// RUN: HEDDLE_OPTIONS="--reduce dpor --executions 10 --json %t.json" %t bug user
// EXIT: 1
// RUN: HEDDLE_OPTIONS="--strategy best-first --order user" %t bug none 2>&1
// EXIT: 2
// OUT: heddle: --order user needs a function: heddle::check takes one with heddle::Options::priority
// RUN: %t bug throws
// OUT: it was thrown
//
// Two updates in each of two threads: 6 orders; times the places of main's join and the threads'
// beginnings and ends, the same for both.
// RUN: HEDDLE_OPTIONS="--strategy dfs --list-executions - --quiet" %t small none > %t.dfs
// RUN: HEDDLE_OPTIONS="--preemptions none --list-executions - --quiet" %t small user > %t.user
// RUN: sort %t.dfs > %t.1; sort %t.user > %t.2; cmp %t.1 %t.2 && test $(wc -l < %t.1) -gt 6
#include <heddle/heddle.h>

#include <atomic>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>
#include <thread>

namespace {

int g_questions;

void expect(bool condition, const char* what) {
  if (!condition) throw std::logic_error(what);
}

// Threads that are about to use the same object, of which one is about to update it.
int same_object(const heddle::Execution& execution, size_t step, unsigned thread) {
  ++g_questions;
  expect(step > 0 && step < execution.size(), "there is a step before, and one to replace");
  std::vector<unsigned> enabled = execution.enabled(step);
  bool is_enabled = std::find(enabled.begin(), enabled.end(), thread) != enabled.end();
  expect(is_enabled, "the thread could have gone");
  auto preempted = execution.next(step, execution.step(step - 1).thread);
  auto preempting = execution.next(step, thread);
  expect(preempting.has_value(), "what is enabled has something to do");
  if (std::strcmp(preempting->operation, "atomic load") == 0)
    expect(execution.location(0).empty(), "where a thread begins is not known");
  return preempted && preempted->object != 0 && preempted->object == preempting->object ? 0 : 1;
}

void bug() {
  std::atomic<int> value{0};
  std::atomic<int> others{0};
  auto increase = [&] { value = value + 1; };
  auto work = [&] {
    for (int i = 0; i < 20; ++i) others++;
  };
  std::thread first(increase), second(increase), third(work), fourth(work);
  for (std::thread* thread : {&first, &second, &third, &fourth}) thread->join();
  HEDDLE_ASSERT(value == 2);
}

void small() {
  std::atomic<int> value{0};
  auto increase = [&] { value += 1, value += 1; };
  std::thread first(increase), second(increase);
  first.join();
  second.join();
}

}  // namespace

int main(int, char** arguments) {
  std::string which = arguments[2];
  heddle::Options options;
  if (which == "user") options.priority(same_object);
  if (which == "throws") {
    options.priority([](const heddle::Execution&, size_t, unsigned) -> int {
      throw std::runtime_error("it was thrown");
    });
  }
  try {
    heddle::Report report =
        heddle::check(arguments[1] == std::string("bug") ? bug : small, options);
    if (which == "user" && g_questions == 0) return 5;
    if (arguments[1] == std::string("bug")) std::printf("%s", report.text().c_str());
    return report.exit_code();
  } catch (const std::invalid_argument& error) {
    std::printf("%s\n", error.what());
    return 2;
  } catch (const std::runtime_error& error) {
    std::printf("%s\n", error.what());
    return 0;
  }
}
