#include "report/script_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>

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
  std::string line = source_line(*place);
  return printable(trace::short_place(*place)) + (line.empty() ? "" : ": " + line);
}

class Script {
 public:
  Script(const trace::TraceFile& found, const ScriptOptions& options)
      : finding_(found.finding), steps_(found.steps), options_(options) {
    drop_ends();
    for (const Turn& turn : turns_) ++uses_[turn.thread];
  }

  std::string text() {
    head();
    line("auto t0 = s.thread(\"main\", [&] { /* the body of the test */ });");
    bool in_cycle = false;
    for (const Turn& turn : turns_) {
      bool begins = !in_cycle && finding_.cycle && turn.begin >= finding_.cycle->begin;
      if (begins) line("while (!s.all_ended()) {", "the cycle");
      in_cycle = in_cycle || begins;
      indent_ = in_cycle ? "      " : "    ";
      add(turn);
    }
    indent_ = "    ";
    if (in_cycle) {
      line("}");
    } else {
      bool stuck = finding_.kind == wire::Failure::deadlock;
      line("while (!s.all_ended()) s.transfer(any).until(end);", stuck ? "nobody can go on" : "");
    }
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

  void head() {
    std::string location = finding_.location();
    out_ =
        fmt::format("// The interleaving of a failure: {}{}.\n", wire::failure_name(finding_.kind),
                    location.empty() ? "" : " at " + printable(location));
    if (!finding_.schedule_file.empty()) {
      out_ += fmt::format("// heddle show --script {}\n",
                          printable(shell_word(finding_.schedule_file)));
    }
    out_ +=
        "// Put the body of the test, which was main's or that of heddle::check, into the "
        "thread.\n";
    if (finding_.kind == wire::Failure::exit) {
      out_ += "// The program failed by its exit status: say in the body what must hold.\n";
    }
    out_ +=
        "#include <heddle/scenario.h>\n\n"
        "using namespace heddle::script;\n\n"
        "int main() {\n"
        "  heddle::Report report = heddle::scenario([](heddle::Script& s) {\n";
  }

  void tail() {
    std::string options = "heddle::Options{}";
    for (const auto& [name, value] : options_) {
      options += fmt::format(".set(\"{}\", \"{}\")", name, value);
    }
    out_ += fmt::format("  }}, {});\n  return report.exit_code();\n}}\n", options);
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
    line(fmt::format("s.transfer({}).until({});", variable(turn.thread), until(turn)),
         comment(turn));
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

  static std::string until(const Turn& turn) {
    switch (turn.stop) {
      case Turn::Stop::ended:
      case Turn::Stop::last:
        return "end";
      case Turn::Stop::blocked:
        return "blocked";
      case Turn::Stop::preempted:
      case Turn::Stop::gives_way:
        break;
    }
    return condition(turn);
  }

  static std::string counted_as(const std::string& condition, uint32_t count) {
    return count == 1 ? condition : fmt::format("{}).count({}", condition, count);
  }

  static std::string condition(const Turn& turn) {
    Deed deed = trace::deed_of(turn.next.op);
    std::string object = object_of(turn.next);
    if (deed == Deed::other || object.empty()) return at_line(turn);
    bool is_access = deed == Deed::reads || deed == Deed::writes || deed == Deed::updates;
    // Where there are updates, it needs no thought whether they are reads or writes.
    if (is_access && turn.updates != 0) {
      return counted_as(fmt::format("accesses({})", object), turn.accesses);
    }
    return counted_as(fmt::format("{}({})", verb(deed), object), turn.same);
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

  static std::string object_of(const DetailedStep& step) {
    constexpr std::string_view kAnonymous = "(anonymous namespace)::";
    std::string name = step.object;
    if (name.starts_with(kAnonymous)) name.erase(0, kAnonymous.size());
    if (step.naming == Naming::given) return "\"" + printable(name) + "\"";
    return step.naming == Naming::variable && is_expression(name) ? name : "";
  }

  static std::string at_line(const Turn& turn) {
    const trace::Place* place = trace::user_place(turn.next.stack);
    if (place == nullptr || place->line <= 0) return "next";
    return counted_as(fmt::format("at(\"{}\")", printable(trace::short_place(*place))),
                      std::max(turn.in_line, 1u));
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
    std::string place = place_words(turn.next.stack);
    return turn.in_line == 0 ? place + " (how often it comes there is not known)" : place;
  }

  const Finding& finding_;
  const std::vector<wire::Step>& steps_;
  const ScriptOptions& options_;
  trace::ThreadPaths paths_{std::span<const wire::Step>(steps_)};
  std::vector<Turn> turns_;
  std::map<std::string, size_t> uses_;  // turns of each thread
  uint32_t created_ = 0;
  std::string indent_ = "    ";
  std::string out_;
};

}  // namespace

std::string script_text(const trace::TraceFile& found, const ScriptOptions& options) {
  return Script(found, options).text();
}

}  // namespace heddle::report
