#include "report/script_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <set>

#include "report/named_in.h"
#include "report/source_line.h"
#include "report/style.h"
#include "trace/thread_paths.h"
#include "trace/turns.h"
#include "trace/words.h"

namespace heddle::report {
namespace {

using trace::Deed;
using trace::DetailedStep;
using trace::Finding;
using trace::Naming;
using trace::Turn;
using wire::Op;

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

bool is_identifier(std::string_view text) {
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text[0])) == 0 &&
         std::ranges::all_of(text, is_word);
}

// "producer" of "app::producer(Buffer&, int)"; empty if it is no plain name, as of a lambda.
std::string plain_name(std::string_view function) {
  function = function.substr(0, function.find_first_of("(<"));
  size_t colon = function.rfind("::");
  if (colon != function.npos) function.remove_prefix(colon + 2);
  return is_identifier(function) ? std::string(function) : "";
}

// Whether the name of a variable can stand in C++: "forks[1]", "app::queue.head", not "ring+8".
bool is_expression(std::string_view name) {
  constexpr std::string_view kPunctuation = ".[]:";
  auto fits = [&](char c) { return is_word(c) || kPunctuation.find(c) != kPunctuation.npos; };
  return !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0 &&
         std::ranges::all_of(name, fits);
}

std::string place_words(const trace::CallStack& stack) {
  const trace::Place* place = trace::user_place(stack);
  if (place == nullptr) return "";
  std::string line = source_line(*place, 60);
  return printable(trace::short_place(*place)) + (line.empty() ? "" : ": " + line);
}

// The file of the source in which the test stands: main, or of a check, which main has called from
// wherever it is, the outermost function of the user's. Empty: it is not known.
std::string file_of_test(const Finding& finding, bool is_check) {
  auto in = [&](const trace::CallStack& stack) -> std::string {
    auto fits = [&](const trace::Place& place) {
      return !place.system && !place.file.empty() &&
             (is_check || plain_name(place.function) == "main");
    };
    auto found = std::find_if(stack.rbegin(), stack.rend(), fits);
    return found != stack.rend() ? found->file : "";
  };
  std::string file = finding.thread == "0" ? in(finding.stack) : "";
  for (const trace::ThreadAtEnd& thread : finding.threads) {
    if (file.empty() && thread.thread == "0") file = in(thread.stack);
  }
  for (const Turn& turn : finding.turns) {
    if (file.empty() && turn.thread == "0") file = in(turn.next.stack);
  }
  const trace::Timeline& timeline = finding.timeline;
  for (size_t i = 0; i < timeline.size() && file.empty(); ++i) {
    if (timeline.threads[timeline.steps[i].thread] == "0") {
      file = in(timeline.stack(timeline.steps[i].stack));
    }
  }
  return file;
}

// As a literal of C++.
std::string literal_of(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') {
      out += {'\\', c};
    } else if (static_cast<unsigned char>(c) < ' ' || c == '?' || c == 0x7f) {
      out += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
  return out + '"';
}

constexpr int kRounds = 100;  // of a cycle: then it is taken for one without an end

class Script {
 public:
  Script(const trace::TraceFile& found, const ScriptTest& test)
      : finding_(found.finding),
        steps_(found.steps),
        test_(test),
        source_(file_of_test(found.finding, test.is_check)) {
    drop_ends();
    for (const Turn& turn : turns_) ++uses_[turn.thread];
  }

  std::string text() {
    transfers();
    std::string script = std::move(out_);
    out_.clear();
    head();
    program();
    out_ += wraps_main() ? "extern \"C\" int __wrap_main() {\n" : "int main() {\n";
    using_words();
    out_ += "  heddle::Report report = heddle::scenario([](heddle::Script& s) {\n" + script;
    tail();
    return out_;
  }

 private:
  // A thread that was left with nothing to do but to end is let run to its end at once.
  void drop_ends() {
    std::map<std::string, bool> has_ended;
    for (Turn turn : finding_.turns) {
      if (has_ended[turn.thread]) continue;
      if (turn.stop != Turn::Stop::last && turn.next.op == Op::end) turn.stop = Turn::Stop::ended;
      has_ended[turn.thread] = turn.stop == Turn::Stop::ended;
      turns_.push_back(std::move(turn));
    }
  }

  void line(const std::string& code, std::string comment = "") {
    // One that ends so would go on in the next line.
    while (comment.ends_with('\\') || comment.ends_with(' ')) comment.pop_back();
    out_ += indent_ + code + (comment.empty() ? "" : "  // " + comment) + "\n";
  }

  // Whether main of the program is the test, and can be called.
  bool is_program() const { return !test_.is_check && !source_.empty(); }
  bool is_in_c() const { return source_.ends_with(".c"); }
  // Whether the script is built together with a main of the program's.
  bool wraps_main() const { return !source_.empty() && !(test_.is_check && is_in_c()); }

  void head() {
    std::string location = finding_.location();
    out_ =
        fmt::format("// The interleaving of a failure: {}{}.\n", wire::failure_name(finding_.kind),
                    location.empty() ? "" : " at " + printable(location));
    if (!finding_.schedule_file.empty()) {
      out_ += fmt::format("// heddle show --script {}\n",
                          printable(shell_word(finding_.schedule_file)));
    }
    std::string flags = names_member_ ? " -fno-access-control" : "";
    if (wraps_main()) flags += " -Wl,--wrap=main";
    if (is_program() && is_in_c()) flags += " program.o";
    out_ += "// Build it as the program is built, with this file in the place of main's:\n";
    if (is_program() && is_in_c()) {
      out_ += fmt::format("//   heddle-cc -g -c {} -o program.o\n", printable(shell_word(source_)));
    }
    out_ += fmt::format("//   heddle-c++ -g THIS_FILE.cc{}\n", flags);
    out_ += "#include <heddle/scenario.h>\n";
    if (is_program()) out_ += "#include <stdlib.h>\n#include <unistd.h>\n";
    out_ += "\n#include <iostream>\n\n";
  }

  // What the script runs.
  void program() {
    if (!source_.empty() && !is_in_c()) out_ += fmt::format("#include {}\n\n", literal_of(source_));
    if (!is_program()) return;
    std::vector<std::string> words = {test_.name};
    words.insert(words.end(), test_.arguments.begin(), test_.arguments.end());
    // Static, and not instrumented: where accesses are steps, these would be counted with main's.
    std::string texts;
    std::string pointers;
    for (size_t i = 0; i < words.size(); ++i) {
      texts += fmt::format("  static char word_{}[] = {};\n", i, literal_of(words[i]));
      pointers += fmt::format("word_{}, ", i);
    }
    out_ += fmt::format(
        "extern \"C\" int __real_main(int, char**, char**);  // the program's\n\n"
        "__attribute__((no_sanitize_thread)) void program_under_test() {{\n"
        "{}"
        "  static char* arguments[] = {{{}nullptr}};\n"
        "  int status = __real_main({}, arguments, environ);\n"
        "  if (status != 0) exit(status);\n"
        "}}\n\n",
        texts, pointers, words.size());
  }

  // They hide what the program gives the same names.
  void using_words() {
    std::string names;
    for (const std::string& word : words_) {
      names += (names.empty() ? "" : ", ") + ("heddle::script::" + word);
    }
    out_ += fmt::format("  using {};\n", names);
  }

  void tail() {
    std::string options = "heddle::Options{}";
    for (const auto& [name, value] : test_.options) {
      options += fmt::format(".set({}, {})", literal_of(name), literal_of(value));
    }
    out_ += fmt::format(
        "  }}, {});\n  std::cout << report.text();\n  return report.exit_code();\n}}\n", options);
  }

  void transfers() {
    line(is_program() ? "auto t0 = s.thread(\"main\", program_under_test);"
                      : "auto t0 = s.thread(\"main\", [] { /* the body of the test */ });");
    // What the new thread does to call it is not main's.
    if (is_program() && counts_accesses()) {
      line(fmt::format("s.transfer(t0).until({}(\"main\"));", word("enters")));
    }
    bool in_cycle = false;
    for (const Turn& turn : turns_) {
      bool begins = !in_cycle && finding_.cycle && turn.begin >= finding_.cycle->begin;
      if (begins) {
        line(fmt::format("for (int i = 0; i < {} && !s.all_ended(); ++i) {{", kRounds),
             "the cycle");
      }
      in_cycle = in_cycle || begins;
      indent_ = in_cycle ? "      " : "    ";
      add(turn);
    }
    indent_ = "    ";
    if (in_cycle) {
      line("}");
      line("HEDDLE_ASSERT(s.all_ended());", "else it goes on like that for ever");
      return;
    }
    bool stuck = finding_.kind == wire::Failure::deadlock;
    line(fmt::format("while (!s.all_ended()) s.transfer({}).until({});", word("any"), word("end")),
         stuck ? "nobody can go on" : "");
  }

  // Whether every access is a step.
  bool counts_accesses() const {
    return std::ranges::find(test_.options, std::pair<std::string, std::string>(
                                                "accesses", "all")) != test_.options.end();
  }

  // A word of the language, which is then known in the script.
  std::string word(const char* name) {
    words_.insert(name);
    return name;
  }

  // "t0" of main, "producer_2" or "t2" of T2.
  std::string variable(const std::string& thread) const {
    if (thread == "0") return "t0";
    std::string number = thread;
    std::ranges::replace(number, '.', '_');
    auto found = std::ranges::find(finding_.threads, thread, &trace::ThreadAtEnd::thread);
    std::string name = found != finding_.threads.end() ? plain_name(found->entry) : "";
    return name.empty() || name == "main" ? "t" + number : name + "_" + number;
  }

  void add(const Turn& turn) {
    for (uint32_t i = turn.begin; i < std::min<size_t>(turn.end, steps_.size()); ++i) {
      const wire::Step& step = steps_[i];
      if (step.outcome == 0) continue;
      line(step.op == Op::choose
               ? fmt::format("// heddle::choose gives {} in this turn", step.outcome)
               : fmt::format("// in this turn: {}, outcome {}", wire::op_name(step.op),
                             step.outcome));
    }
    std::string thread = variable(turn.thread);
    std::string guard = may_be_further_.contains(turn.thread)
                            ? fmt::format("if (!s.ended({0}) && !s.blocked({0})) ", thread)
                            : "";
    line(fmt::format("{}s.transfer({}).until({});", guard, thread, until(turn)), comment(turn));
    for (uint32_t i = turn.begin; i < std::min<size_t>(turn.end, steps_.size()); ++i) {
      if (steps_[i].op == Op::create) created();
    }
  }

  // Threads come to life in the order of their creation, also those that never get a turn.
  void created() {
    const std::string& path = paths_.path(++created_);
    std::string name = trace::thread_name(path);
    if (uses_.contains(path)) {
      line(fmt::format("auto {} = s.next_thread();", variable(path)), name);
    } else {
      line("s.next_thread();", name + ", which has no turn");
    }
  }

  std::string until(const Turn& turn) {
    switch (turn.stop) {
      case Turn::Stop::ended:
      case Turn::Stop::last:
        return word("end");
      case Turn::Stop::blocked:
        return word("blocked");
      case Turn::Stop::preempted:
      case Turn::Stop::gives_way:
        break;
    }
    return condition(turn);
  }

  static std::string counted_as(const std::string& condition, uint32_t count) {
    return count == 1 ? condition : fmt::format("{}).count({}", condition, count);
  }

  std::string condition(const Turn& turn) {
    Deed deed = trace::deed_of(turn.next.op);
    std::string object = object_of(turn.next);
    if (deed == Deed::other || object.empty()) return by_number(turn);
    bool is_access = deed == Deed::reads || deed == Deed::writes || deed == Deed::updates;
    // Where there are updates, it needs no thought whether they are reads or writes.
    if (is_access && turn.updates != 0) {
      return counted_as(fmt::format("{}({})", word("accesses"), object), turn.accesses);
    }
    return counted_as(fmt::format("{}({})", word(verb(deed)), object), turn.same);
  }

  static const char* verb(Deed deed) {
    switch (deed) {
      case Deed::locks:
        return "locks";
      case Deed::unlocks:
        return "unlocks";
      case Deed::waits:
        return "waits";
      case Deed::reads:
        return "reads";
      case Deed::writes:
        return "writes";
      case Deed::updates:
      case Deed::other:
        break;
    }
    return "accesses";
  }

  // Empty: the script cannot see it.
  std::string object_of(const DetailedStep& step) {
    constexpr std::string_view kAnonymous = "(anonymous namespace)::";
    if (step.naming != Naming::variable || source_.empty() || is_in_c()) return "";
    std::string name = step.object;
    for (size_t at; (at = name.find(kAnonymous)) != name.npos;) name.erase(at, kAnonymous.size());
    if (!is_expression(name) || !is_visible(step, name.substr(0, name.find_first_of(".[")))) {
      return "";
    }
    names_member_ = names_member_ || name.find('.') != name.npos;
    return is_hidden(name.substr(0, name.find_first_of(".[:"))) ? "::" + name : name;
  }

  // The script includes the source of the test. What is used in another one, and not in a header,
  // may be declared there alone.
  bool is_visible(const DetailedStep& step, const std::string& name) const {
    const trace::Place* place = trace::user_place(step.stack);
    if (place == nullptr || place->file == source_) return true;
    std::string suffix = std::filesystem::path(place->file).extension().string();
    constexpr std::string_view kSources[] = {".c", ".cc", ".cpp", ".cxx", ".c++", ".C"};
    if (std::ranges::find(kSources, suffix) == std::end(kSources)) return true;
    size_t colon = name.rfind(':');
    return is_named_in(source_, colon == name.npos ? name : name.substr(colon + 1));
  }

  // By what the script itself declares.
  bool is_hidden(const std::string& name) const {
    constexpr std::string_view kWords[] = {"any",     "next",   "end",      "blocked",
                                           "reads",   "writes", "accesses", "locks",
                                           "unlocks", "waits",  "s",        "report"};
    bool is_thread =
        std::ranges::any_of(uses_, [&](const auto& used) { return variable(used.first) == name; });
    return is_thread || std::ranges::find(kWords, name) != std::end(kWords);
  }

  // Accesses of variables are operations only if they are known to race, or with --accesses all.
  bool passes_plain_accesses(const Turn& turn) const {
    if (counts_accesses()) {
      return false;
    }
    auto is_plain = [](Op op) { return op == Op::read || op == Op::write; };
    bool found = is_plain(turn.next.op);
    for (uint32_t i = turn.begin + 1; i < turn.end; ++i) found = found || is_plain(steps_[i].op);
    return found;
  }

  // How many operations further on it is. A search that has still to learn which accesses race lets
  // the thread go further, maybe to its end, or to where it is blocked: others have to go then, or
  // nothing would be learnt.
  std::string by_number(const Turn& turn) {
    std::string condition = word("next");
    if (passes_plain_accesses(turn)) {
      may_be_further_.insert(turn.thread);
      condition += fmt::format(" || {} || {}", word("end"), word("blocked"));
    }
    bool is_first = turn.begin == 0 && steps_.front().op != Op::begin;
    return counted_as(condition, turn.end - turn.begin + (is_first ? 1 : 0));
  }

  std::string comment(const Turn& turn) const {
    switch (turn.stop) {
      case Turn::Stop::ended:
        return "";
      case Turn::Stop::last:
        return fmt::format("fails: {}", wire::failure_name(finding_.kind));
      case Turn::Stop::blocked: {
        std::string words = printable(trace::waiting_words(turn.next.op, turn.next.object));
        std::string place = place_words(turn.next.stack);
        return place.empty() ? words : words + ", " + place;
      }
      case Turn::Stop::preempted:
      case Turn::Stop::gives_way:
        break;
    }
    return place_words(turn.next.stack);
  }

  const Finding& finding_;
  const std::vector<wire::Step>& steps_;
  const ScriptTest& test_;
  std::string source_;  // see file_of_test()
  trace::ThreadPaths paths_{std::span<const wire::Step>(steps_)};
  std::vector<Turn> turns_;
  std::map<std::string, size_t> uses_;    // turns of each thread
  std::set<std::string> words_;           // see word()
  std::set<std::string> may_be_further_;  // threads: see by_number()
  bool names_member_ = false;             // which may be private
  uint32_t created_ = 0;
  std::string indent_ = "    ";
  std::string out_;
};

}  // namespace

std::string script_text(const trace::TraceFile& found, const ScriptTest& test) {
  return Script(found, test).text();
}

}  // namespace heddle::report
