// Heddle's interface for tests.
//
//   #include <heddle/heddle.h>
//
//   heddle::Report report = heddle::check([] {
//     Queue queue;
//     std::thread producer([&] { queue.push(1); });
//     HEDDLE_ASSERT(queue.pop() == 1);
//     producer.join();
//   });
//   if (!report.ok()) std::cerr << report.text();
//
// Build with heddle-c++, or link to heddle::heddle of the CMake package; nothing else is needed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "heddle/assert.h"
#include "heddle/state.h"
#include "heddle/yield.h"

#define HEDDLE_API __attribute__((visibility("default")))

extern "C" {
HEDDLE_API unsigned heddle_choose(unsigned n);
HEDDLE_API void heddle_assume(int condition);
// Fails the execution under test with these words, at this place; outside of one it does nothing.
// For assertions of test frameworks: see heddle/gtest.h. The file is null if it is not known.
HEDDLE_API void heddle_fail(const char* text, const char* file, unsigned line);
HEDDLE_API void heddle_name(const void* object, uint64_t size, const char* name);
// Writes the state to `buffer`, which has room for `size` bytes, and returns how many it has. For
// C; see heddle::state. The context must live as long as the thread that declares it runs its
// function, if it is not null.
HEDDLE_API void heddle_state(size_t (*callback)(void* context, void* buffer, size_t size),
                             void* context);
// The same with a copy of the context, of at most 256 bytes.
HEDDLE_API void heddle_state_copy(size_t (*callback)(void* context, void* buffer, size_t size),
                                  const void* context, size_t context_size);
HEDDLE_API int heddle_controlled(void);
}

namespace heddle {

// A number below n; the search tries each of them. Outside of a search it is 0.
inline unsigned choose(unsigned n) { return heddle_choose(n); }

// Discards the execution if the condition does not hold: it is neither a failure nor covered.
inline void assume(bool condition) { heddle_assume(condition ? 1 : 0); }

// Gives an object a name, for reports and for --focus-var; up to 63 letters of it are kept. It
// holds for the execution that is running, until the memory is allocated or named anew; outside of
// one it does nothing.
template <typename T>
void name(const T* object, const char* name) {
  heddle_name(object, sizeof(T), name);
}
inline void name(const void* begin, size_t bytes, const char* name) {
  heddle_name(begin, bytes, name);
}

// Declares the test's abstract state: a function that returns it, called after each step. How many
// different states the search has visited is told in the end (`states` in the JSON), and which:
// --list-states.
//
//   heddle::state([&] { return std::tuple(head, tail, buffer); });
//
// What it returns is a plain value, a string or another range, or a pair, tuple or optional of
// such; see heddle/state.h. It must only look: atomics and other operations in it are no steps. A
// failed assertion in it is a failure of the execution. It is called from whatever thread, until
// the program exits or another state is declared; if it captures something, also no longer than
// until the thread that declared it returns from its function (main; the function of
// heddle::check). What it captures must live so long, and is captured by reference or is plain.
// Outside of an execution nothing happens.
template <typename Callback>
void state(Callback callback) {
  static_assert(std::is_trivially_copyable_v<Callback> && sizeof(Callback) <= 256,
                "capture by reference, or plain values");
  if constexpr (std::is_empty_v<Callback>) {
    heddle_state_copy(internal::state_bytes<Callback>, nullptr, 0);
  } else {
    heddle_state_copy(internal::state_bytes<Callback>, &callback, sizeof callback);
  }
}

// True while the calling code is run by a search.
inline bool controlled() { return heddle_controlled() != 0; }

// A completed execution, as a priority function sees it: see Options::priority. It lasts as long as
// the call.
class HEDDLE_API Execution {
 public:
  struct Step {
    unsigned thread = 0;         // in the order of creation; main is 0
    const char* operation = "";  // "lock mutex", …: the operations of the manual
    uint64_t object = 0;         // the same for the same object; 0: none
    bool preemption = false;     // the thread before could have gone on
    bool in_focus_method = false;
    bool on_focus_var = false;
  };

  virtual size_t size() const = 0;  // in steps
  virtual Step step(size_t number) const = 0;
  // What the thread does at step `number` or, if that is another's, next; also what it would have
  // done when the execution ended. Nothing, if it had ended.
  virtual std::optional<Step> next(size_t number, unsigned thread) const = 0;
  // The threads that could have gone at this step.
  virtual std::vector<unsigned> enabled(size_t number) const = 0;
  // "queue.h:41"; empty if it is not known.
  virtual std::string location(size_t number) const = 0;

 protected:
  ~Execution() = default;
};

// The options of `heddle run` under the same names: Options{}.preemptions(2).seconds(10).
// HEDDLE_OPTIONS in the environment is read after them and wins. A bad value throws
// std::invalid_argument from check().
class HEDDLE_API Options {
 public:
  Options& strategy(std::string name) { return set("strategy", std::move(name)); }
  Options& preemptions(unsigned bound) { return set("preemptions", std::to_string(bound)); }
  Options& no_preemption_bound() { return set("preemptions", "none"); }
  Options& delays(unsigned bound) { return set("delays", std::to_string(bound)); }
  Options& order(std::string names) { return set("order", std::move(names)); }
  Options& depth(unsigned steps) { return set("depth", std::to_string(steps)); }
  Options& reduce(std::string how) { return set("reduce", std::move(how)); }
  Options& subtrees(bool on = true) { return set("subtrees", on ? "on" : "off"); }
  Options& sleep_sets(bool on = true) { return set("sleep-sets", on ? "on" : "off"); }
  Options& retries(std::string which) { return set("retries", std::move(which)); }
  Options& executions(uint64_t n) { return set("executions", std::to_string(n)); }
  Options& seconds(double s) { return set("seconds", std::to_string(s)); }
  Options& seed(uint64_t n) { return set("seed", std::to_string(n)); }
  Options& samplers(std::string names) { return set("samplers", std::move(names)); }
  Options& pct_depth(unsigned d) { return set("pct-depth", std::to_string(d)); }
  Options& match(bool on = true) { return set("match", on ? "on" : "off"); }
  Options& threshold(std::string depths) { return set("threshold", std::move(depths)); }
  Options& jump(std::string how) { return set("jump", std::move(how)); }
  Options& ratio(std::string ratio) { return set("ratio", std::move(ratio)); }
  Options& backtrack_order(std::string order) { return set("backtrack-order", std::move(order)); }
  Options& jobs(unsigned n) { return set("jobs", std::to_string(n)); }
  Options& suppress(std::string file) { return set("suppress", std::move(file)); }
  Options& keep_going(bool on = true) { return set("keep-going", on ? "true" : "false"); }
  Options& first(std::string directory) { return set("first", std::move(directory)); }
  Options& explain(bool on = true) { return set("explain", on ? "on" : "off"); }
  // "2/3": one of so many parts of the search, for heddle merge.
  Options& shard(std::string part) { return set("shard", std::move(part)); }
  Options& resume(bool on = true) { return set("resume", on ? "true" : "false"); }
  Options& races(std::string what) { return set("races", std::move(what)); }
  Options& racing(std::string places) { return set("racing", std::move(places)); }
  Options& leaks(bool on = true) { return set("leaks", on ? "true" : "false"); }
  Options& accesses(std::string which) { return set("accesses", std::move(which)); }
  Options& fair(bool on = true) { return set("fair", on ? "on" : "off"); }
  Options& fair_every(unsigned yields) { return set("fair", std::to_string(yields)); }
  Options& good_samaritan(std::string what) { return set("good-samaritan", std::move(what)); }
  Options& yield_after(unsigned steps) { return set("yield-after", std::to_string(steps)); }
  Options& spin_rounds(unsigned n) { return set("spin-rounds", std::to_string(n)); }
  Options& livelock_after(unsigned steps) { return set("livelock-after", std::to_string(steps)); }
  Options& spurious(bool on = true) { return set("spurious", on ? "true" : "false"); }
  Options& through(std::string places) { return set("through", std::move(places)); }
  Options& toward(std::string how) { return set("toward", std::move(how)); }
  Options& backtracks(uint32_t count) { return set("backtracks", std::to_string(count)); }
  Options& focus_method(std::string names) { return set("focus-method", std::move(names)); }
  Options& focus_var(std::string names) { return set("focus-var", std::move(names)); }
  Options& uninstrumented(bool on = true) { return set("uninstrumented", on ? "true" : "false"); }
  Options& isolation(std::string how) { return set("isolation", std::move(how)); }
  Options& hang_after(double s) { return set("hang-after", std::to_string(s)); }
  Options& max_steps(unsigned n) { return set("max-steps", std::to_string(n)); }
  Options& heap(unsigned megabytes) { return set("heap", std::to_string(megabytes)); }
  Options& memory(std::string size) { return set("memory", std::move(size)); }
  Options& out(std::string directory) { return set("out", std::move(directory)); }
  Options& json(std::string file) { return set("json", std::move(file)); }
  Options& junit(std::string file) { return set("junit", std::move(file)); }
  Options& sarif(std::string file) { return set("sarif", std::move(file)); }
  Options& annotations(std::string where) { return set("annotations", std::move(where)); }
  Options& list_executions(std::string file) { return set("list-executions", std::move(file)); }
  Options& list_states(std::string file) { return set("list-states", std::move(file)); }
  Options& show_output(bool on = true) { return set("show-output", on ? "true" : "false"); }
  Options& steps(std::string number) { return set("steps", std::move(number)); }
  Options& width(unsigned columns) { return set("width", std::to_string(columns)); }
  Options& trace(bool on = true) { return set("trace", on ? "true" : "false"); }
  Options& quiet(bool on = true) { return set("quiet", on ? "true" : "false"); }

  // Which schedule comes first. At `step` of a completed execution another thread could have gone,
  // `thread`: the number for a schedule that does that. The lowest is run first. It is called in
  // the process of heddle::check for every schedule that the search comes to know, must give the
  // same number for the same question, and has no influence on what a complete search covers. In
  // --order it is `user`; without --order it stands in front.
  using Priority = std::function<int(const Execution& execution, size_t step, unsigned thread)>;
  Options& priority(Priority function) {
    priority_ = std::move(function);
    return *this;
  }
  const Priority& priority() const { return priority_; }

  // Any option by its name on the command line, without the dashes.
  Options& set(std::string name, std::string value) {
    values_.emplace_back(std::move(name), std::move(value));
    return *this;
  }
  const std::vector<std::pair<std::string, std::string>>& values() const { return values_; }

 private:
  std::vector<std::pair<std::string, std::string>> values_;
  Priority priority_;
};

enum class Verdict { passed, failed, incomplete };

struct Failure {
  std::string kind;  // "deadlock", "assertion", …: the kinds of the manual
  std::string message;
  std::string location;  // "queue.h:41"
  std::string schedule;  // the file to give to `heddle replay`
  uint64_t execution = 0;
  uint32_t steps = 0;
  uint32_t preemptions = 0;
};

class HEDDLE_API Report {
 public:
  bool ok() const;  // nothing failed, and the test was repeatable
  Verdict verdict() const;
  uint64_t executions() const;
  uint64_t discarded() const;  // of these: by heddle::assume
  const std::vector<Failure>& failures() const;
  std::string text() const;
  std::string json() const;
  int exit_code() const;  // as of the command: 0, 1, 2, 3, 4; 130 after Ctrl-C

  struct Content;
  explicit Report(std::shared_ptr<const Content> content) : content_(std::move(content)) {}

 private:
  std::shared_ptr<const Content> content_;
};

// Runs `test` again and again in worker processes, each time along another interleaving. The
// calling process stays as it is: nothing that `test` does to memory is seen here. No other thread
// may run in the calling process.
HEDDLE_API Report check(std::function<void()> test, const Options& options = {});

}  // namespace heddle

// With the header of a test framework before this one, its assertions fail executions, too.
#if defined(GOOGLETEST_INCLUDE_GTEST_GTEST_H_) || defined(GTEST_INCLUDE_GTEST_GTEST_H_)
#include "heddle/gtest.h"
#endif
#if defined(DOCTEST_LIBRARY_INCLUDED)
#include "heddle/doctest.h"
#endif
#if defined(CATCH_VERSION_MAJOR) || defined(CATCH_TEST_MACROS_HPP_INCLUDED)
#define HEDDLE_BY_ITSELF_
#include "heddle/catch2.h"
#undef HEDDLE_BY_ITSELF_
#endif
