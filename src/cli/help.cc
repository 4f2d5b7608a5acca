// heddle help: made from the option table.
#include <fmt/format.h>

#include <optional>
#include <string_view>

#include "base/error.h"
#include "base/exit_code.h"
#include "cli/help_text.h"
#include "cli/pages.h"
#include "cli/verbs.h"
#include "options/options.h"
#include "symbols/nearest.h"

namespace heddle::cli {

namespace {

std::string markdown() {
  std::string out = "| option | of | meaning | default |\n|---|---|---|---|\n";
  for (const options::OptionRecord& record : options::option_table()) {
    std::string name = option_name(record);
    std::string escaped;
    for (char c : name) escaped += c == '|' ? std::string("\\|") : std::string(1, c);
    std::string of;
    for (const Verb& verb : verbs()) {
      if ((record.verbs & verb.options) != 0)
        of += (of.empty() ? "" : ", ") + std::string(verb.name);
    }
    out += fmt::format("| `{}` | {} | {} | {} |\n", escaped, of, record.help,
                       record.default_text != nullptr ? record.default_text : "");
  }
  return out;
}

struct VerbText {
  const char* name;
  unsigned verb;
  std::string_view text;
};

// Paragraphs that begin with the command say how to call it.
constexpr VerbText kVerbTexts[] = {
    {"run", options::kRun,
     "heddle run [OPTIONS] PROGRAM [ARGUMENTS]\n\n"
     "Runs PROGRAM, which must have been built with heddle-cc or heddle-c++, again and again, "
     "each\n"
     "time along another interleaving of its threads, until one fails or all are covered. A "
     "failure\n"
     "is reported with the steps that led to it, and saved for heddle replay and heddle show.\n"
     "Options stand before PROGRAM; what follows it belongs to it.\n"},
    {"replay", options::kReplay,
     "heddle replay [OPTIONS] FILE\n\n"
     "Runs the program of a schedule file again, along that schedule, in the directory and with "
     "the\n"
     "arguments that the file names, and reports what happens.\n\n"
     "heddle replay --gdb [OPTIONS] FILE [-- ARGUMENTS OF GDB]\n\n"
     "Runs it in gdb, and stops before its first step. Type help heddle there.\n"},
    {"show", options::kShow,
     "heddle show [OPTIONS] FILE\n\n"
     "Prints the report of a failure again, as the search that found it has saved it, or makes a\n"
     "page of it for the browser: FILE is the schedule, or the trace beside it. Executes nothing,\n"
     "and needs neither the program nor its source.\n"},
    {"yields", options::kYields,
     "heddle yields [OPTIONS] PROGRAM [ARGUMENTS]\n\n"
     "Runs PROGRAM as heddle run does, and lists the places in its source where operations of\n"
     "different threads conflict, with what to type there: a yield point. Data races come first,\n"
     "then what conflicts most often. Failures do not end the search; unless told otherwise, it\n"
     "ends after 1000 executions (--executions 1000), and data races are explored (--races\n"
     "explore).\n"},
    {"cooperative", options::kCooperative,
     "heddle cooperative [OPTIONS] PROGRAM [ARGUMENTS]\n\n"
     "Runs PROGRAM as heddle run does, and checks of each execution whether what a thread does "
     "from\n"
     "one of its yield points to the next is like one step: whether the execution is equivalent "
     "to\n"
     "one in which these pieces come one after the other. Yield points are HEDDLE_YIELD, waits "
     "for\n"
     "other threads and std::this_thread::yield. Where one is missing it says between which steps\n"
     "others came. Failures do not end the search; unless told otherwise, it ends after 10000\n"
     "executions (--executions 10000). Data races are explored, as with --races explore.\n"},
    {"compare", options::kCompare,
     "heddle compare [OPTIONS] PROGRAM [ARGUMENTS]\n\n"
     "Searches PROGRAM, as heddle run does, with one strategy after the other, each with the same\n"
     "budget and up to its first failure; strategies that go by chance several times, with other\n"
     "seeds. Prints a table: how many of the runs failed, after how many executions and how much\n"
     "time, and how many distinct executions a strategy has seen; and which one to use. Of each\n"
     "different failure one schedule is saved. Unless told otherwise, a run ends after 10000\n"
     "executions or 10 seconds; if one of the two is given, the other is no limit.\n"},
    {"guide", options::kGuide,
     "heddle guide --from REPORT [OPTIONS] PROGRAM [ARGUMENTS]\n\n"
     "Reads the warnings of another tool, and guides PROGRAM along the places of each: of a data\n"
     "race the two accesses, in both orders; of a cycle of locks where each is taken. Says of "
     "each\n"
     "warning whether it is confirmed (a run fails with it, and its schedule is saved), reached\n"
     "(all places were passed in order, and nothing failed), or not confirmed, and how far it "
     "came.\n"
     "Unless told otherwise, each order of places gets 1000 executions or 10 seconds; if one of "
     "the\n"
     "two is given, the other is no limit. The exit code is 1 if a warning is confirmed, else "
     "0.\n"},
    {"gtest", options::kGtest,
     "heddle gtest [OPTIONS] PROGRAM [ARGUMENTS]\n\n"
     "Lists the tests of PROGRAM, which has tests of GoogleTest and was built with heddle-c++, "
     "and\n"
     "runs each as a search of its own, as heddle run would with --gtest_filter=TEST. Reports the\n"
     "failures, and prints a table of all tests in the end. ARGUMENTS are GoogleTest's own:\n"
     "--gtest_filter, --gtest_also_run_disabled_tests; GTEST_TOTAL_SHARDS and GTEST_SHARD_INDEX\n"
     "count, too. Budgets such as --executions and --seconds are for each test, and --jobs N has "
     "N\n"
     "workers for each search: one test comes after the other. To have tests side by side, start\n"
     "several, each with a shard and an --out of its own. The exit code is 1 if a test fails.\n"},
    {"catch2", options::kCatch2,
     "heddle catch2 [OPTIONS] PROGRAM [ARGUMENTS]\n\n"
     "Lists the tests of PROGRAM, which has tests of Catch2 (version 2 or 3) and was built with\n"
     "heddle-c++, and runs each as a search of its own. Reports the failures, and prints a table "
     "of\n"
     "all tests in the end. ARGUMENTS are Catch2's own, names and tags of tests among them. "
     "Budgets\n"
     "such as --executions and --seconds are for each test, and --jobs N has N workers for each\n"
     "search: one test comes after the other. The exit code is 1 if a test fails.\n"},
    {"doctest", options::kDoctest,
     "heddle doctest [OPTIONS] PROGRAM [ARGUMENTS]\n\n"
     "Lists the tests of PROGRAM, which has tests of doctest and was built with heddle-c++, and "
     "runs\n"
     "each as a search of its own. Reports the failures, and prints a table of all tests in the "
     "end.\n"
     "ARGUMENTS are doctest's own, such as --test-suite=NAME. Budgets such as --executions and\n"
     "--seconds are for each test, and --jobs N has N workers for each search: one test comes "
     "after\n"
     "the other. The exit code is 1 if a test fails.\n"},
    {"merge", options::kMerge,
     "heddle merge [OPTIONS] FILE...\n\n"
     "Joins the parts of a search, which heddle run --shard I/N has left in its --out directory, "
     "into\n"
     "one report and one verdict. Runs nothing. It has passed only if all N parts are there, are "
     "of\n"
     "the same program and options, and are complete.\n"},
    {"worker", options::kWorker,
     "heddle worker --on URL [OPTIONS]\n\n"
     "Takes part in the searches that heddle run --on URL has put into Redis: runs tasks of them, "
     "with\n"
     "--jobs processes, and gives back what they have found. It runs the programs of those who "
     "have the\n"
     "password of that Redis, and needs it itself: HEDDLE_REDIS_PASSWORD, or --password-file.\n"},
    {"doctor", options::kDoctor,
     "heddle doctor [OPTIONS]\n\n"
     "Looks whether this machine has what Heddle needs: kernel, processor, memory, limits,\n"
     "compilers, debugger, and Heddle's own files. Builds and searches a small test with each\n"
     "compiler that is there. Says of whatever is missing what to do.\n"},
};

}  // namespace

std::string usage() {
  std::string out =
      "Heddle runs a concurrent C or C++ program along one interleaving after another.\n\n"
      "  heddle-c++ -O1 -g test.cc -o test           build the program\n"
      "  heddle run ./test                           find a failing schedule, or cover them all\n"
      "  heddle replay heddle-out/test-1.heddle      the same failure, every time\n"
      "  heddle show heddle-out/test-1.heddle        its report again, without running anything\n"
      "  heddle show --html test.html heddle-out/test-1.heddle\n"
      "                                              a page of it, to go through it step by "
      "step\n\n"
      "Verbs:\n";
  for (const Verb& verb : verbs()) out += fmt::format("  {:<12} {}\n", verb.name, verb.help);
  out +=
      "\nheddle VERB --help, heddle help OPTION and heddle help TOPIC tell more. The topics:\n  "
      "all";
  for (const Topic& topic : topics(~0u)) out += " " + topic.name;
  out += "\n";
  return out;
}

std::string_view verb_text(unsigned verb) {
  for (const VerbText& text : kVerbTexts) {
    if (text.verb == verb) return text.text;
  }
  return "";
}

std::string exit_codes(unsigned verb) {
  if (verb == options::kShow) {
    return "  0    the failure was shown\n"
           "  2    there is nothing to show; the message says what to type\n";
  }
  if (verb == options::kDoctor) {
    return "  0    Heddle can work here; there may be warnings\n"
           "  2    something is missing; the report says what to do\n";
  }
  std::string out;
#define HEDDLE_EXIT_CODE(id, code, meaning) out += fmt::format("  {:<4} {}\n", code, meaning);
  HEDDLE_EXIT_CODES(HEDDLE_EXIT_CODE)
#undef HEDDLE_EXIT_CODE
  return out;
}

std::string verb_help(unsigned verb) {
  return fmt::format("{}{}\nExit code:\n{}", verb_text(verb), option_help(verb), exit_codes(verb));
}

namespace {

// With its verbs, if heddle run is none of them.
std::string help_on_option(const options::OptionRecord& record) {
  std::string text = explanation(record, options::kRun);
  std::string of;
  for (const Verb& verb : verbs()) {
    if ((record.verbs & verb.options) != 0)
      of += fmt::format("{}heddle {}", of.empty() ? "" : ", ", verb.name);
  }
  if ((record.verbs & options::kRun) == 0) text += fmt::format(" [{}]", of);
  return option_line(record, text);
}

// On a topic, or all of them; else on an option, "races" or "--races". Empty if there is none of
// this name.
std::string help_on(const std::string& name) {
  std::string out;
  for (const Topic& topic : topics(~0u)) {
    if (name != "all" && name != topic.name) continue;
    out += fmt::format("{}{}:\n", out.empty() ? "" : "\n", topic.heading);
    for (const options::OptionRecord* record : topic.options) out += help_on_option(*record);
  }
  auto option = options::find_option(name.substr(name.starts_with("--") ? 2 : 0));
  if (out.empty() && option != nullptr) out = help_on_option(*option);
  return out;
}

std::string man_page_list() {
  std::string out;
  for (const std::string& page : man_pages()) out += page + "\n";
  return out;
}

// What is printed for other programs, and not for people.
std::optional<std::string> generated(const Words& words) {
  const std::string& what = words[0];
  if (what == "--markdown") return markdown();
  if (what == "--completion") {
    if (words.size() < 2) throw UserError("--completion needs a shell: bash, zsh or fish");
    return completion(words[1]);
  }
  if (what == "--man") return words.size() < 2 ? man_page_list() : man_page(words[1]);
  return std::nullopt;
}

}  // namespace

int help(const Words& words) {
  if (words.empty() || words[0] == "--help") {
    fmt::print("{}", usage());
    return 0;
  }
  if (auto text = generated(words)) {
    fmt::print("{}", *text);
    return 0;
  }
  std::vector<std::string> names = {"all"};
  for (const Verb& verb : verbs()) {
    names.emplace_back(verb.name);
    if (verb.options == 0 || words[0] != verb.name) continue;
    fmt::print("{}", verb_help(verb.options));
    return 0;
  }
  if (std::string text = help_on(words[0]); !text.empty()) {
    fmt::print("{}", text);
    return 0;
  }
  for (const Topic& topic : topics(~0u)) {
    names.push_back(topic.name);
    for (const options::OptionRecord* record : topic.options) names.emplace_back(record->name);
  }
  std::string near = symbols::nearest(words[0], names);
  throw UserError(
      fmt::format("there is no verb, topic or option '{}'{}", words[0],
                  near.empty() ? "; type: heddle help" : "; did you mean " + near + "?"));
}

}  // namespace heddle::cli
