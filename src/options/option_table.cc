// The table of all options. A new one is a record here, and a field of Options.
#include <fmt/format.h>

#include <array>

#include "base/error.h"
#include "explore/strategies.h"
#include "options/options.h"
#include "options/parse_backtracking.h"
#include "options/parse_focus.h"
#include "options/parse_guide.h"
#include "options/parse_order.h"
#include "options/parse_server.h"
#include "options/parse_shard.h"
#include "options/parse_strategies.h"
#include "options/parse_value.h"
#include "options/suppress.h"

namespace heddle::options {

namespace {

using Text = const std::string&;

constexpr uint64_t kAny = ~uint64_t{0};

uint32_t narrow(uint64_t value) { return static_cast<uint32_t>(value); }

void set_preemptions(Options* options, Text value) {
  options->preemptions_given = true;
  options->preemptions = std::nullopt;
  if (value != "none") {
    options->preemptions = narrow(parse_number("preemptions", value, 0, 65534, "2 or none"));
  }
}

void set_fair(Options* options, Text value) {
  if (value == "on" || value == "off") {
    options->fair = value == "on" ? wire::kFairOn : 0;
  } else {
    options->fair = narrow(parse_number("fair", value, 1, 1'000'000, "on, off or 2"));
  }
}

// The first word of each is a topic of `heddle help`.
constexpr const char* kStrategy = "Strategies";
constexpr const char* kBounds = "Bounds and reduction";
constexpr const char* kFairness = "Fairness";
constexpr const char* kDetection = "Detection of failures";
constexpr const char* kGuidance = "Guidance by places";
constexpr const char* kBudget = "Budget and resources";
constexpr const char* kExecution = "Executions";
constexpr const char* kOutput = "Output";

constexpr bool kCommon = true;

constexpr auto kTable = std::to_array<OptionRecord>({
    {"strategy", "NAME",
     "how schedules are chosen: auto (first those with 0, 1 and 2 preemptions, then all, with samples of any beside them), dfs (every schedule, depth first), best-first (every schedule, in the order of --order); by chance, from --seed: random (any thread), pct (priorities that change --pct-depth - 1 times), pos (partial order sampling), surw (operations on one object in any order), rf (feedback over which write a read reads from); backtrack (depth first, and by chance back before all of a state is explored)",
     "auto", kStrategy, kSingleSearches | kSuites,
     [](Options* o, Text v) { o->strategy = explore::find_strategy(v).name; }, kCommon},
    {"strategies", "NAMES", "the strategies to compare, with commas between them", "all", kStrategy,
     kCompare, [](Options* o, Text v) { o->strategies = parse_strategies(v); }},
    {"order", "NAMES",
     "which schedules best-first takes first, by priority functions with commas between them, the "
     "first decides: pb (few preemptions), dpor (those that reverse dependent steps), mdpor (those "
     "that surely do), ss (those that sleep sets would not leave out), rand (at random, from --seed), "
     "method (--focus-method), var (--focus-var), user (heddle::Options::priority)",
     "ss,mdpor; mdpor,pb with --reduce dpor; behind method and var if they are asked for", kStrategy,
     kSearches, [](Options* o, Text v) { o->order = parse_order(v); }},
    {"preemptions", "N|none",
     "only schedules with at most N preemptions: switches away from a thread that could have gone on",
     "2 with best-first, none with the others or if --delays is given", kBounds, kSearches,
     set_preemptions, kCommon},
    {"delays", "N",
     "only schedules with at most N delays: threads that are passed over where another goes instead",
     "no limit", kBounds, kSearches,
     [](Options* o, Text v) {
       o->delays = narrow(parse_number("delays", v, 0, explore::kMaxDelays, "2"));
     }},
    {"depth", "N", "vary only the first N steps of an execution", nullptr, kBounds, kSearches,
     [](Options* o, Text v) { o->depth = narrow(parse_number("depth", v, 0, kMaxSteps, "50")); }},
    {"reduce", "none|dpor",
     "dpor: of executions that differ only in the order of independent steps run one (dynamic "
     "partial-order reduction); covers all schedules, so without a bound",
     "none; dpor in the last stage of auto", kBounds, kSearches,
     [](Options* o, Text v) {
       o->reduce_given = true;
       o->reduce = parse_name("reduce", v, {{"none", 0}, {"dpor", 1}}) != 0;
     }},
    {"sleep-sets", "on|off", "with --reduce dpor: skip threads whose turn another schedule explores",
     "on", kBounds, kSearches,
     [](Options* o, Text v) {
       o->sleep_sets = parse_name("sleep-sets", v, {{"on", 1}, {"off", 0}}) != 0;
     }},
    {"subtrees", "on|off",
     "hand parts of a search to workers, which run them execution after execution by "
     "themselves",
     "on", kBounds, kSearches,
     [](Options* o, Text v) {
       o->subtrees = parse_name("subtrees", v, {{"on", 1}, {"off", 0}}) != 0;
     }},
    {"retries", "all|last",
     "with --reduce dpor, last: a round of a retry loop whose compare-exchange fails, and that is shown to leave nothing behind, is the "
     "last thing that its thread does; the execution in which the thread begins with the round after it stands for the rest",
     "all", kBounds, kSearches,
     [](Options* o, Text v) { o->last_retries = parse_name("retries", v, {{"all", 0}, {"last", 1}}) != 0; }},
    {"fair", "on|off|K",
     "a thread that yields, spins or waits with a time limit gives way to those that it has kept "
     "waiting, so that loops end; K: at every K-th yield exactly; on: at every one, but not in loops "
     "that count their rounds",
     "on", kFairness, kSearches, set_fair},
    {"good-samaritan", "error|warn|off",
     "how to treat a spin, or a long run without a yield, that only fair scheduling ends: as a failure, as a warning, or not at all",
     "warn", kFairness, kSearches,
     [](Options* o, Text v) {
       o->good_samaritan = wire::GoodSamaritan(
           parse_name("good-samaritan", v,
                      {{"error", int(wire::GoodSamaritan::error)},
                       {"warn", int(wire::GoodSamaritan::warn)},
                       {"off", int(wire::GoodSamaritan::off)}}));
     }},
    {"livelock-after", "N|none",
     "with fair scheduling, report an execution that is N steps longer than all that have ended: a livelock, without the proof that the same state comes back",
     "none", kFairness, kSearches,
     [](Options* o, Text v) {
       o->livelock_after =
           v == "none" ? 0 : narrow(parse_number("livelock-after", v, 1, kMaxSteps, "100000"));
     }},
    {"yield-after", "N",
     "with fair scheduling, a thread's N-th step since its last yield counts as a yield, so that loops end that others must end",
     "10000", kFairness, kSearches,
     [](Options* o, Text v) {
       o->yield_after = narrow(parse_number("yield-after", v, 1, kMaxSteps, "1000"));
     }},
    {"spin-rounds", "N",
     "with fair scheduling, a loop that reads the same N times and writes nothing counts as a spin, even if something else changes in it, like a counter",
     "128", kFairness, kSearches,
     [](Options* o, Text v) {
       o->spin_rounds = narrow(parse_number("spin-rounds", v, 2, kMaxSteps, "1000"));
     }},
    {"accesses", "sync|all",
     "where threads may be switched: at synchronisation and atomics, or at all memory accesses too",
     "sync", kDetection, kSearches,
     [](Options* o, Text v) {
       o->accesses = wire::Accesses(parse_name(
           "accesses", v,
           {{"sync", int(wire::Accesses::sync)}, {"all", int(wire::Accesses::all)}}));
     }},
    {"races", "fail|explore|ignore",
     "how to treat a data race: as a failure; as another place to switch threads, to see what it breaks; or not at all",
     "fail; explore with heddle yields", kDetection, kRuns | kYields | kCompare,
     [](Options* o, Text v) {
       o->races = wire::Races(parse_name(
           "races", v, {{"fail", int(wire::Races::fail)}, {"explore", int(wire::Races::explore)}, {"ignore", int(wire::Races::ignore)}}));
     }, kCommon},
    {"spurious", nullptr,
     "also explore what may happen spuriously: waits on conditions and futexes that wake, weak "
     "compare-exchanges that fail",
     nullptr, kDetection, kSearches, [](Options* o, Text v) { o->spurious = parse_flag("spurious", v); }},
    {"suppress", "FILE",
     "known failures: those that match a line KIND:PATTERN of the file are counted, and the search goes on; a pattern is part of the name of a function, file, library or variable, with * for anything",
     nullptr, kDetection, kRuns | kCompare,
     [](Options* o, Text v) { o->suppressions = read_suppressions(v); }},
    {"racing", "PLACES", "places that race, as a search has recorded them in a schedule",
     nullptr, kDetection, kSearches, [](Options* o, Text v) { o->racing = parse_names("racing", v); }},
    {"leaks", nullptr, "report memory that an execution has not freed when it ends", nullptr,
     kDetection, kSearches, [](Options* o, Text v) { o->leaks = parse_flag("leaks", v); }},
    {"seed", "N", "the seed of all that is left to chance", "1", kStrategy, kSearches,
     [](Options* o, Text v) { o->seed = parse_number("seed", v, 0, kAny, "7"); }},
    {"samplers", "NAMES|none",
     "with --strategy auto: the samplers that run beside its stages, with commas between them",
     "rf,pos,pct,surw,random,guide; none if a bound or --reduce is given", kStrategy, kSearches,
     [](Options* o, Text v) {
       o->samplers = parse_samplers(v);
       if (!o->samplers.empty()) o->strategy_options["auto"] = "samplers";
     }},
    {"pct-depth", "D",
     "with --strategy pct: the depth of the bugs that it looks for, which is one more than how often priorities change",
     "3", kStrategy, kSearches,
     [](Options* o, Text v) {
       o->pct_depth = narrow(parse_number("pct-depth", v, 1, 255, "3"));
       o->strategy_options["pct"] = "pct-depth";
     }},
    {"seeds", "N",
     "run each strategy that goes by chance N times: with --seed, and the N - 1 seeds after it", "5",
     kStrategy, kCompare,
     [](Options* o, Text v) { o->seeds = narrow(parse_number("seeds", v, 1, 999, "10")); }},
    {"match", "on|off",
     "stop an execution's share of the search where it comes to a state that was seen before, by the "
     "happens-before that leads there, or by heddle::state where the test declares one",
     "on with backtrack, off with dfs and best-first", kStrategy, kSearches,
     [](Options* o, Text v) { o->match = parse_name("match", v, {{"on", 1}, {"off", 0}}) != 0; }},
    {"threshold", "H,…",
     "with --strategy backtrack: the depth, in choice points, from which on chance may end the "
     "search of a state early; several take turns",
     "5,10,20,50,100", kStrategy, kSearches,
     [](Options* o, Text v) {
       o->descent.thresholds = parse_thresholds(v);
       o->thresholds_given = true;
       o->strategy_options["backtrack"] = "threshold";
     }},
    {"jump", "fixed|random|luby",
     "with --strategy backtrack: over how many transitions it goes back at once: one, any number, or "
     "the next of the Luby sequence",
     "random", kStrategy, kSearches,
     [](Options* o, Text v) {
       o->descent.jump = explore::Jump(parse_name("jump", v,
                                                  {{"fixed", int(explore::Jump::fixed)},
                                                   {"random", int(explore::Jump::random)},
                                                   {"luby", int(explore::Jump::luby)}}));
       o->strategy_options["backtrack"] = "jump";
     }},
    {"ratio", "R|1-d/C",
     "with --strategy backtrack: how likely it is that it goes on instead of back, from 0 to 1; or "
     "1-d/C, where d is the depth",
     "0.9", kStrategy, kSearches,
     [](Options* o, Text v) {
       o->descent.ratio = parse_ratio(v);
       o->strategy_options["backtrack"] = "ratio";
     }},
    {"backtrack-order", "default|random|switch",
     "with --strategy backtrack: which transition of a state comes first: by the order in which "
     "threads were created, any, or those of other threads than the running one",
     "default", kStrategy, kSearches,
     [](Options* o, Text v) {
       o->descent.order = wire::DescentOrder(
           parse_name("backtrack-order", v,
                      {{"default", int(wire::DescentOrder::by_thread)},
                       {"random", int(wire::DescentOrder::by_chance)},
                       {"switch", int(wire::DescentOrder::other_than_last)}}));
       o->strategy_options["backtrack"] = "backtrack-order";
     }},
    {"from", "REPORT",
     "what other tools warn of: output of ThreadSanitizer, Helgrind (text or XML), Clang's thread-safety analysis, clang-tidy or cppcheck (text or XML), or SARIF",
     nullptr, kGuidance, kGuide, [](Options* o, Text v) { o->from = v; }},
    {"through", "A,B,C",
     "guide the search through these places, one after the other: FILE:LINE, FILE:LINE:COLUMN or a function; with @2 behind it, by thread 2. What is done there is an operation",
     nullptr, kGuidance, kSingleSearches | kSuites | kCompare | kReplay,
     [](Options* o, Text v) { o->through = parse_through(v); }},
    {"toward", "distance|random|prefer:THREADS",
     "with --strategy guide: who comes first on the way to the next place: the thread that is nearest to it by the program's control flow, any, or those that are named",
     "distance", kGuidance, kSearches,
     [](Options* o, Text v) {
       parse_toward(v, &o->guide);
       o->strategy_options["guide"] = "toward";
     }},
    {"backtracks", "N",
     "with --strategy guide: points to come back to that are kept at most; then the search cannot become complete",
     "100000", kGuidance, kSearches,
     [](Options* o, Text v) {
       o->guide.backtracks = narrow(parse_number("backtracks", v, 1, 0xffffffff, "100000"));
       o->strategy_options["guide"] = "backtracks";
     }},
    {"focus-method", "A,B",
     "look first at schedules that switch threads in these functions: names, plain or qualified, "
     "or patterns like Queue::*; puts method in front of the order",
     nullptr, kStrategy, kSearches,
     [](Options* o, Text v) { o->focus_methods = parse_focus("focus-method", v); }},
    {"focus-var", "X,Y",
     "look first at schedules that switch threads at operations on these variables: globals, "
     "members of their types, or names given by heddle::name; puts var in front of the order",
     nullptr, kStrategy, kSearches,
     [](Options* o, Text v) { o->focus_variables = parse_focus("focus-var", v); }},
    {"executions", "N", "stop after N executions", "no limit; 10000 with random and heddle cooperative, 1000 with heddle yields, 10000 for each run of heddle compare", kBudget,
     kSearches,
     [](Options* o, Text v) { o->executions = parse_number("executions", v, 1, kAny, "1000"); }, kCommon},
    {"seconds", "S", "stop after S seconds", "no limit; 10 for each run of heddle compare", kBudget, kSearches,
     [](Options* o, Text v) { o->seconds = parse_seconds("seconds", v, "10"); }, kCommon},
    {"keep-going", nullptr, "continue after a failure, and report each different one once", nullptr,
     kBudget, kRuns, [](Options* o, Text v) { o->keep_going = parse_flag("keep-going", v); }, kCommon},
    {"first", "DIR",
     "run the schedules of former failures in this directory (or this file) before anything else; those that do not fit the program any more are named",
     nullptr, kBudget, kRuns,
     [](Options* o, Text v) {
       if (v.empty()) throw UserError("--first needs a directory; type e.g. --first tests/schedules");
       o->first.push_back(v);
     }, kCommon},
    {"explain", "on|off",
     "explain each failure by running variations of its schedule: simplify it, find the step after which every execution fails, and an execution that passes and differs in two steps alone",
     "on", kBudget, kRuns,
     [](Options* o, Text v) { o->explain = parse_name("explain", v, {{"on", 1}, {"off", 0}}) != 0; }},
    {"resume", nullptr,
     "continue the search that was interrupted, killed or out of budget, as if it had never stopped; budgets count anew",
     nullptr, kBudget, kRuns, [](Options* o, Text v) { o->resume = parse_flag("resume", v); }, kCommon},
    {"jobs", "N",
     "the number of worker processes; what is found, and after how many executions, does not depend on it", "1",
     kBudget, kSearches | kWorker,
     [](Options* o, Text v) { o->jobs = narrow(parse_number("jobs", v, 1, 64, "2")); }, kCommon},
    {"shard", "I/N",
     "run the I-th of N parts of the search, on whichever machine; heddle merge joins the files that the parts leave behind",
     nullptr, kBudget, kRun, [](Options* o, Text v) { o->shard = parse_shard(v); }},
    {"on", "URL",
     "share the search with other machines, through the Redis at redis://[USER@]HOST[:PORT][/DB]: heddle run puts it there and collects what is found; heddle worker, on each of the machines, takes what there is to do",
     nullptr, kBudget, kRun | kWorker, [](Options* o, Text v) { o->on = parse_server(v); }},
    {"password-file", "FILE", "with --on: the file that has the password of Redis in its first line",
     "what HEDDLE_REDIS_PASSWORD is", kBudget, kRun | kWorker,
     [](Options* o, Text v) { o->password_file = parse_file("password-file", v, "redis.txt"); }},
    {"redis-memory", "SIZE", "with --on: how much the search may keep in Redis; machines wait where it would be more",
     "256M", kBudget, kRun,
     [](Options* o, Text v) { o->redis_memory = parse_size("redis-memory", v, "256M"); }},
    {"lost-after", "S", "with --on: what a machine has taken goes to another if nothing was heard of it for S seconds",
     "30", kBudget, kRun,
     [](Options* o, Text v) { o->lost_after = parse_seconds("lost-after", v, "30"); }},
    {"idle", "S", "end when there was nothing to do for S seconds", "never", kBudget, kWorker,
     [](Options* o, Text v) { o->idle = parse_seconds("idle", v, "60"); }},
    {"memory", "SIZE",
     "how much memory the search may use for schedules that wait, e.g. 512M or 2G; the last ones beyond it go to a temporary file",
     "1G", kBudget, kSearches | kWorker, [](Options* o, Text v) { o->memory = parse_size("memory", v, "512M"); }},
    {"uninstrumented", nullptr,
     "test a program that was not built with the wrappers: control its library calls alone", nullptr,
     kExecution, kSearches,
     [](Options* o, Text v) { o->uninstrumented = parse_flag("uninstrumented", v); }},
    {"isolation", "snapshot|fork|none",
     "what each execution starts from: snapshot (memory restored from a snapshot), fork (a fresh process), none (whatever the execution before has left)",
     "snapshot; fork with --uninstrumented", kExecution, kSearches | kReplay,
     [](Options* o, Text v) {
       o->isolation = wire::Isolation(parse_name("isolation", v,
                                                 {{"snapshot", int(wire::Isolation::snapshot)},
                                                  {"fork", int(wire::Isolation::fork)},
                                                  {"none", int(wire::Isolation::none)}}));
     }},
    {"hang-after", "S", "report a hang if an execution makes no step for S seconds", "10",
     kExecution, kSearches | kReplay,
     [](Options* o, Text v) { o->hang_after = parse_seconds("hang-after", v, "10"); }},
    {"max-steps", "N", "cut an execution off after N steps; the search is then incomplete", "5000000",
     kExecution, kSearches | kReplay,
     [](Options* o, Text v) {
       o->max_steps = narrow(parse_number("max-steps", v, 1, kMaxSteps, "100000"));
     }},
    {"heap", "MB", "how much memory the program may allocate", "2048", kExecution, kSearches | kReplay,
     [](Options* o, Text v) { o->heap = narrow(parse_number("heap", v, 1, 1 << 20, "4096")); }},
    {"program", "PATH", "replay with this program instead of the one that the schedule names",
     nullptr, kExecution, kReplay, [](Options* o, Text v) { o->program = v; }},
    {"trust", nullptr, "replay a program that is outside of the current directory, or was not built with the wrappers, since the schedule names it",
     nullptr, kExecution, kReplay, [](Options* o, Text v) { o->trust = parse_flag("trust", v); }},
    {"gdb", nullptr,
     "replay in gdb, with an OS thread for each thread of the program, and with the commands heddle "
     "step, back, goto, where, preemption and failure; what follows -- are arguments of gdb",
     nullptr, kExecution, kReplay, [](Options* o, Text v) { o->gdb = parse_flag("gdb", v); }},
    {"times", "N", "replay N times; all must be the same to the step", "1", kExecution, kReplay,
     [](Options* o, Text v) {
       o->times = narrow(parse_number("times", v, 1, 1'000'000'000, "100"));
     }},
    {"out", "DIR", "where the schedules of failures are saved", "heddle-out", kOutput, kRuns | kCompare | kGuide | kMerge,
     [](Options* o, Text v) {
       if (v.empty()) throw UserError("--out needs a directory; type e.g. --out heddle-out");
       o->out = v;
     }, kCommon},
    {"json", "FILE", "write the result as JSON; with - to standard output, and the report to standard error",
     nullptr, kOutput, kSearches | kReplay | kDoctor | kMerge,
     [](Options* o, Text v) {
       if (v.empty()) throw UserError("--json needs a file; type e.g. --json result.json, or --json -");
       o->json = v;
     }, kCommon},
    {"list-executions", "FILE",
     "write a line for each execution: fingerprint, sequence hash, how it ended, key of its failure, "
     "steps; with - to standard output, and the report to standard error",
     nullptr, kOutput, kSingleSearches,
     [](Options* o, Text v) {
       if (v.empty()) {
         throw UserError("--list-executions needs a file; type e.g. --list-executions list.txt");
       }
       o->list_executions = v;
     }},
    {"list-states", "FILE",
     "write a line for each different state that was visited, as the test declares it by "
     "heddle::state: execution and step of the first visit, and its bytes in hexadecimal; with - to "
     "standard output, and the report to standard error",
     nullptr, kOutput, kSingleSearches,
     [](Options* o, Text v) {
       if (v.empty()) {
         throw UserError("--list-states needs a file; type e.g. --list-states states.txt");
       }
       o->list_states = v;
     }},
    {"plot", "FILE",
     "draw how many distinct executions each strategy had run after how many seconds; .svg or .html",
     nullptr, kOutput, kCompare, [](Options* o, Text v) { o->plot = parse_plot(v); }},
    {"junit", "FILE",
     "write what was tested as JUnit XML, for CI systems; with - to standard output, and the report to "
     "standard error",
     nullptr, kOutput, kRuns | kMerge, [](Options* o, Text v) { o->junit = parse_file("junit", v, "heddle.xml"); }},
    {"sarif", "FILE",
     "write the failures as SARIF 2.1.0; with heddle guide, the warnings with their verdicts; with - to "
     "standard output, and the report to standard error",
     nullptr, kOutput, kRuns | kGuide | kMerge,
     [](Options* o, Text v) { o->sarif = parse_file("sarif", v, "heddle.sarif"); }},
    {"annotations", "github|none",
     "github: print a line for each failure that GitHub Actions shows at its place in the source",
     "github where GITHUB_ACTIONS is true, else none", kOutput, kRuns | kMerge,
     [](Options* o, Text v) {
       o->annotations = parse_name("annotations", v, {{"github", 1}, {"none", 0}}) != 0;
     }},
    {"html", "FILE",
     "write the failure as a page that opens in a browser, without a network: all steps in lanes, with "
     "their source; - is standard output",
     nullptr, kOutput, kShow,
     [](Options* o, Text v) {
       if (v.empty()) throw UserError("--html needs a file; type e.g. --html report.html");
       o->html = v;
     }},
    {"script", nullptr,
     "print C++ that leads the program along the same interleaving, for heddle/scenario.h, instead of "
     "the report",
     nullptr, kOutput, kShow, [](Options* o, Text v) { o->script = parse_flag("script", v); }},
    {"show-output", nullptr, "let the program write to the terminal in every execution", nullptr,
     kOutput, kSearches | kReplay,
     [](Options* o, Text v) { o->show_output = parse_flag("show-output", v); }, kCommon},
    {"steps", "N|all",
     "how many steps of a failing execution the report shows: at least N, or all; others are folded into a line",
     "what matters: preemptions and the steps that they separate, operations on the objects of the failure, the last steps",
     kOutput, kRuns | kReplay | kShow | kMerge,
     [](Options* o, Text v) {
       o->steps = v == "all" ? kAny : parse_number("steps", v, 1, kMaxSteps, "50, or --steps all");
     }},
    {"width", "N", "how many columns wide the report of a failure may be", "the terminal's; 120 where there is none",
     kOutput, kRuns | kReplay | kShow | kMerge,
     [](Options* o, Text v) { o->width = narrow(parse_number("width", v, 60, 10'000, "80")); }},
    {"trace", nullptr, "with --json: write all steps of each failing execution, too", nullptr, kOutput,
     kRun | kReplay | kMerge, [](Options* o, Text v) { o->trace = parse_flag("trace", v); }},
    {"quiet", nullptr, "no report and no status line, only the exit code and the JSON", nullptr,
     kOutput, kSearches | kReplay | kDoctor | kMerge | kWorker, [](Options* o, Text v) { o->quiet = parse_flag("quiet", v); }},
});

}  // namespace

std::span<const OptionRecord> option_table() { return kTable; }

}  // namespace heddle::options
