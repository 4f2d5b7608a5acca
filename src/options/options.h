// The options of a run: values, and the one table from which the command line, HEDDLE_OPTIONS,
// heddle::Options, --help and the manual's reference are made.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "explore/priority/user.h"
#include "explore/strategies.h"
#include "trace/focus.h"
#include "trace/route.h"
#include "trace/suppressions.h"
#include "wire/kinds.h"

namespace heddle::options {

// What is asked of a test script: heddle::scenario.
enum class Question : uint8_t {
  none,    // the test is no script
  forall,  // whether any execution fails
  exists,  // whether one goes as it says
};

// What the paper recommends: (H, random, 0.9), with several H (section 5).
inline explore::DescentOptions usual_descent() {
  explore::DescentOptions usual;
  usual.thresholds = {5, 10, 20, 50, 100};
  usual.jump = explore::Jump::random;
  usual.ratio = {uint64_t{0xe666666666666800}, 0};  // 0.9, as parse_ratio reads it
  return usual;
}

struct Options {
  std::string strategy = "auto";
  bool preemptions_given = false;
  std::optional<uint32_t>
      preemptions;  // bound; none: unbounded. If not given: the strategy's default
  std::optional<uint32_t> delays;
  std::optional<uint32_t> depth;
  bool reduce_given = false;
  bool reduce = false;  // by partial order. If not given: in the last stage of auto
  bool sleep_sets = true;
  bool subtrees = true;            // workers may search subtrees by themselves
  std::vector<std::string> order;  // empty: the strategy's own
  std::optional<uint64_t> executions;
  bool labels = false;                       // HEDDLE_YIELD is an operation
  std::optional<uint64_t> usual_executions;  // of the verb, if no budget is given
  std::optional<double> seconds;
  explore::Shard shard;  // which part of the search; by default all of it
  uint64_t seed = 1;
  uint32_t pct_depth = 3;
  std::vector<std::string> samplers =
      explore::sampler_names();                       // that run beside the stages of auto
  std::optional<bool> match;                          // not given: the strategy's default
  explore::DescentOptions descent = usual_descent();  // of randomized backtracking
  bool thresholds_given = false;
  std::vector<std::string> through;  // places of the route, as given
  explore::GuideOptions guide;
  trace::Route route;  // what they stand for, once the program is there: session/route.h
  std::map<std::string, std::string> strategy_options;  // a strategy, one of its own that was given
  uint32_t jobs = 1;
  bool keep_going = false;
  bool resume = false;
  std::vector<std::string> first;  // directories and files: schedules to run before the search
  bool explain = true;             // run more to simplify a failure and to find its critical step
  wire::Accesses accesses = wire::Accesses::sync;
  wire::Races races = wire::Races::fail;
  bool spurious = false;
  bool leaks = false;
  std::vector<std::string> focus_methods;  // names as given
  std::vector<std::string> focus_variables;
  explore::UserFunction priority;  // written by the user: heddle::Options::priority
  Question question = Question::none;
  bool may_be_empty = false;  // no execution need go as the script says
  trace::Focus focus;         // what they stand for, once the program is there: session/focus.h
  bool uninstrumented = false;
  // Names of the places that race, as a search has found them; and keys of races that are
  // suppressed.
  std::vector<uint64_t> racing;
  std::vector<trace::ScriptPlace> script_places;  // that a search has learnt of
  trace::Suppressions suppressions;
  std::optional<wire::Isolation> isolation;  // not given: isolation_of() says
  double hang_after = 10;
  uint32_t max_steps = 5'000'000;
  uint32_t fair = wire::kFairOn;  // see wire::Config
  wire::GoodSamaritan good_samaritan = wire::GoodSamaritan::warn;
  uint32_t livelock_after = 0;  // 0: length alone is no failure
  uint32_t yield_after = 10'000;
  uint32_t spin_rounds = 128;
  uint32_t heap = 2048;                 // MB
  uint64_t memory = uint64_t{1} << 30;  // bytes
  std::string out = "heddle-out";
  std::string json;                 // empty: none; "-": standard output
  std::string junit;                // as json
  std::string sarif;                // as json
  std::optional<bool> annotations;  // for GitHub; not given: if it is GitHub that runs us
  std::string list_executions;      // as json
  std::string list_states;          // as json
  bool show_output = false;
  bool quiet = false;
  std::optional<size_t> steps;    // of a failure, in its report: see report/view.h
  std::optional<uint32_t> width;  // of the report; none: the terminal's
  bool trace = false;             // all steps of a failure, in the JSON

  // replay
  std::string program;  // empty: the one that the schedule names
  bool trust = false;   // … whatever that is
  uint32_t times = 1;
  bool gdb = false;

  // show
  bool script = false;
  std::string html;  // a file; empty: none

  // compare
  std::vector<std::string> strategies;  // empty: all
  uint32_t seeds = 5;
  std::string plot;  // a file; empty: none

  // guide
  std::string from;  // the report of another tool
};

// 4 GB of trace; still well below what a step number holds.
inline constexpr uint64_t kMaxSteps = 100'000'000;

enum Verbs : unsigned {
  kRun = 1,
  kReplay = 2,
  kShow = 16,
  kYields = 4,
  kCooperative = 8,
  kCompare = 32,
  kGuide = 64,
  kGtest = 128,
  kCatch2 = 256,
  kDoctest = 512,
  kSuites = kGtest | kCatch2 | kDoctest,
  kRuns = kRun | kSuites,  // each failure of a program is found and told
  kDoctor = 1024,
  kMerge = 2048,
  kSurveys = kYields | kCooperative,
  kSingleSearches = kRun | kSurveys,
  kSearches = kSingleSearches | kCompare | kGuide | kSuites,
};

struct OptionRecord {
  const char* name;          // without dashes
  const char* metavar;       // null: a flag
  const char* help;          // one sentence or two, without a full stop at the end
  const char* default_text;  // null: nothing to say
  const char* group;         // heading in --help; its first word is a topic
  unsigned verbs;
  // Throws UserError, which says what is wrong and what to type.
  void (*set)(Options* options, const std::string& value);
  bool common = false;  // one of the dozen that --help shows first
};

std::span<const OptionRecord> option_table();
const OptionRecord* find_option(std::string_view name);

// By name without dashes. A flag takes "true" or "false". Throws UserError, for unknown names with
// the nearest known one.
void set_option(Options* options, const std::string& name, const std::string& value,
                unsigned verbs = kRun);

struct GivenOption {
  const OptionRecord* record;
  std::string value;  // of a flag: "true", or what stands behind its "="
};

// The option that begins at words[*at], which is then the word behind it: "--seed 3", "--seed=3",
// "--quiet". Throws UserError.
GivenOption read_option(std::span<const std::string> words, size_t* at, unsigned verbs);

// "--preemptions 2 --keep-going --out 'my dir'", as in HEDDLE_OPTIONS. Throws UserError.
void parse_option_text(Options* options, const std::string& text, unsigned verbs = kRun);

// "unknown option --preemption; did you mean --preemptions?"; the word with or without its dashes.
std::string unknown_option(std::string_view word, unsigned verbs);

// The options that shape an execution, as schedule files keep them.
std::vector<std::pair<std::string, std::string>> execution_options(const Options& options);
bool is_recorded(std::string_view name);  // whether it is one of them

const char* accesses_name(wire::Accesses accesses);
// Of what a search covers: "sync", "all", or, of a program that was not instrumented, "calls".
const char* covered_accesses(const Options& options);
const char* races_name(wire::Races races);
// A test is written to be run again; a whole program, which closes its output and keeps things in
// libc, gets a fresh process each time.
wire::Isolation isolation_of(const Options& options);
const char* isolation_name(wire::Isolation isolation);

}  // namespace heddle::options

// A session is made of them.
namespace heddle::session {
using options::accesses_name;
using options::covered_accesses;
using options::execution_options;
using options::find_option;
using options::isolation_name;
using options::isolation_of;
using options::kMaxSteps;
using options::kReplay;
using options::kRun;
using options::Options;
using options::parse_option_text;
using options::races_name;
using options::set_option;
}  // namespace heddle::session
