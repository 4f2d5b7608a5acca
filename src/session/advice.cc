#include "session/advice.h"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <fstream>
#include <string_view>

#include "report/style.h"

namespace heddle::session {
namespace {

constexpr size_t kMost = 3;    // sentences
constexpr double kLong = 600;  // seconds that nobody waits for
// Seconds of a search from which on somebody waits for it; less if that was asked for, or if he has
// had enough.
constexpr double kAWhile = 5;
constexpr double kAskedFor = 1;

double seconds_for(double schedules, const report::Summary& summary) {
  return schedules * summary.seconds / static_cast<double>(summary.executions);
}

// In words that do not pretend to be exact: "some 3 minutes".
std::string roughly(double seconds) {
  struct Unit {
    double seconds;
    const char* name;
  };
  constexpr Unit kUnits[] = {{1, "second"}, {60, "minute"}, {3600, "hour"}, {86400, "day"}};
  constexpr double kYear = 365 * 86400.0;
  if (seconds > kYear) return "more than a year";
  const Unit* unit = &kUnits[0];
  for (const Unit& larger : kUnits) {
    if (seconds >= 2 * larger.seconds) unit = &larger;
  }
  auto count = static_cast<uint64_t>(std::max(1.0, seconds / unit->seconds + 0.5));
  return fmt::format("some {}", report::counted(count, unit->name));
}

class Advice {
 public:
  Advice(const report::Summary& summary, const Options& options, const Situation& situation)
      : summary_(summary), options_(options), situation_(situation) {}

  std::vector<std::string> make() {
    on_tests();
    on_spins();
    bool was_waited_for = options_.seconds || summary_.interrupted;
    bool was_long = summary_.seconds >= (was_waited_for ? kAskedFor : kAWhile);
    if (was_long) {
      on_what_remains();
      on_strategy();
      on_more_processes();
    }
    if (was_long || summary_.interrupted) on_going_on();
    all_.resize(std::min(all_.size(), kMost));
    return std::move(all_);
  }

 private:
  void add(std::string text) { all_.push_back(std::move(text)); }

  // A filter that names one.
  static bool chooses_one_test(const std::string& word) {
    constexpr std::string_view kFilter = "--gtest_filter=";
    return word.starts_with(kFilter) && word.find_first_of("*?:-", kFilter.size()) == word.npos;
  }

  void on_tests() {
    const std::vector<std::string>& words = summary_.program;
    if (!situation_.has_google_test || std::ranges::any_of(words, chooses_one_test)) return;
    std::string command;
    for (const std::string& word : words) command += " " + report::shell_word(word);
    add(
        fmt::format("the program has GoogleTest in it: if it has several tests, their schedules "
                    "multiply; to search each by itself, type: heddle gtest{}",
                    command));
  }

  void on_spins() {
    if (situation_.spins.empty()) return;
    add(
        fmt::format("a thread spins at {}, and schedules differ in how often: put a yield into the "
                    "loop, std::this_thread::yield()",
                    situation_.spins.front()));
  }

  // The stage under way, if it ends soon; else a bound, or a smaller test.
  void on_what_remains() {
    if (summary_.scripted) return;
    const report::Stage* stage = summary_.stages.empty() ? nullptr : &summary_.stages.back();
    if (stage != nullptr && stage->remaining && stage->preemptions) {
      double seconds = seconds_for(stage->remaining->estimate, summary_);
      if (seconds <= kLong) {
        add(fmt::format("all schedules with at most {} would take {} more: --preemptions {}",
                        report::counted(*stage->preemptions, "preemption"), roughly(seconds),
                        *stage->preemptions));
        return;
      }
    }
    std::string how_long;
    if (summary_.remaining && summary_.remaining->range) {
      double seconds = seconds_for(summary_.remaining->range->estimate, summary_);
      if (seconds <= kLong) return;
      how_long = fmt::format("the rest would take {}: ", roughly(seconds));
    } else if (!summary_.remaining) {
      return;  // it has no end
    }
    uint32_t fewer = fewer_preemptions();
    std::string bound = fewer != 0 ? fmt::format(", or --preemptions {}", fewer) : "";
    add(
        fmt::format("{}make the test smaller ({}, up to {}: each less divides the number of "
                    "schedules){}{}",
                    how_long, report::counted(summary_.threads, "thread"),
                    report::counted(summary_.max_steps, "step"), most_of_them(), bound));
  }

  std::string most_of_them() const {
    if (!situation_.switches) return "";
    const Switches& most = *situation_.switches;
    return fmt::format(", first of all at {}, where {} of {} switches of threads are possible",
                       most.place, report::grouped(most.here), report::grouped(most.all));
  }

  // A bound that the search does not have yet; 0: there is none.
  uint32_t fewer_preemptions() const {
    if (!summary_.stages.empty() && !options_.preemptions_given)
      return 0;  // it has begun with them
    if (!options_.preemptions_given && summary_.preemptions) return *summary_.preemptions - 1;
    if (!options_.preemptions) return 2;
    return *options_.preemptions > 1 ? *options_.preemptions - 1 : 0;
  }

  void on_strategy() {
    bool is_systematic = summary_.strategy == "dfs" || summary_.strategy == "best-first";
    if (!is_systematic || summary_.scripted || summary_.guided) return;
    add("to see schedules that are far apart early, sample them: --strategy pos");
  }

  void on_going_on() {
    if (!situation_.is_saved) return;
    add(options_.seconds || options_.executions
            ? "to go on where it stopped, give it --resume, and a larger budget if you like"
            : "to go on where it stopped, give it --resume");
  }

  void on_more_processes() {
    if (options_.jobs < situation_.processors) {
      add(fmt::format("--jobs {} runs as many executions at a time; what is found is the same",
                      situation_.processors));
    }
  }

  const report::Summary& summary_;
  const Options& options_;
  const Situation& situation_;
  std::vector<std::string> all_;
};

uint32_t processors() {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) == 0 ? static_cast<uint32_t>(CPU_COUNT(&set)) : 1;
}

}  // namespace

std::vector<std::string> advice_on(const report::Summary& summary, const Options& options,
                                   const Situation& situation) {
  bool gave_up = summary.unrepeatable.has_value() || !summary.unsupported.empty();
  bool is_incomplete = report::verdict_of(summary) == report::Verdict::incomplete;
  if (!is_incomplete || gave_up || summary.executions == 0 || summary.cut != 0) return {};
  return Advice(summary, options, situation).make();
}

bool has_google_test(const std::string& path) {
  constexpr std::string_view kText = "--gtest_filter=";  // of its help
  std::ifstream file(path, std::ios::binary);
  std::string part(1 << 20, '\0');
  std::string kept;  // the end of the part before
  while (file.read(part.data(), static_cast<std::streamsize>(part.size())) || file.gcount() > 0) {
    kept.append(part, 0, static_cast<size_t>(file.gcount()));
    if (kept.find(kText) != std::string::npos) return true;
    kept.erase(0, kept.size() - std::min(kept.size(), kText.size()));
  }
  return false;
}

void advise(const std::string& program, bool is_saved, const Options& options,
            const std::function<std::optional<Switches>()>& switches, report::Summary* summary) {
  if (report::verdict_of(*summary) != report::Verdict::incomplete) return;
  Situation situation;
  situation.processors = std::min<uint32_t>(processors(), 64);
  situation.is_saved = is_saved;
  situation.has_google_test = has_google_test(program);
  for (const report::Warning& warning : summary->warnings) {
    if (warning.kind == wire::Failure::good_samaritan) situation.spins.push_back(warning.location);
  }
  situation.switches = switches();
  summary->advice = advice_on(*summary, options, situation);
}

}  // namespace heddle::session
