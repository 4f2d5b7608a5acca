#include "session/story.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "trace/make_finding.h"
#include "trace/thread_paths.h"
#include "trace/words.h"

namespace heddle::session {

namespace {

using nlohmann::json;

// More steps than this nobody goes through; of those before them the numbers are known.
constexpr uint32_t kMostSteps = 100'000;

bool is_preemption(const wire::Step& step) {
  return step.choice >= step.free_options && step.choice != 0;
}

json threads_of(const Examined& examined) {
  trace::ThreadPaths paths = examined.details && !examined.details->threads.empty()
                                 ? trace::ThreadPaths(examined.details->threads)
                                 : trace::ThreadPaths(examined.steps);
  json threads = json::array();
  const std::vector<trace::ThreadAtEnd>& known = examined.finding->threads;
  for (uint32_t i = 0; i < paths.size(); ++i) {
    std::string name = trace::thread_name(paths.path(i));
    if (i < known.size() && !known[i].name.empty()) name = known[i].name + " (" + name + ")";
    threads.push_back(name);
  }
  return threads;
}

// [number of the thread, what it does, where]
json steps_of(const Examined& examined, uint32_t first) {
  std::vector<uint32_t> numbers(examined.steps.size() - first);
  std::iota(numbers.begin(), numbers.end(), first);
  json steps = json::array();
  for (const trace::DetailedStep& step : trace::make_steps(examined, numbers)) {
    const trace::Place* place = trace::user_place(step.stack);
    steps.push_back(json::array({examined.steps[step.step].thread, trace::step_words(step),
                                 place != nullptr ? trace::short_place(*place) : ""}));
  }
  return steps;
}

// [step, note]
json preemptions_of(const Examined& examined) {
  json preemptions = json::array();
  const std::vector<trace::NamedDecision>& decisions = examined.finding->decisions;
  for (uint32_t i = 0; i < examined.steps.size(); ++i) {
    if (!is_preemption(examined.steps[i])) continue;
    auto decision = std::ranges::lower_bound(decisions, i, {}, &trace::NamedDecision::step);
    bool found = decision != decisions.end() && decision->step == i;
    preemptions.push_back(json::array({i, found ? decision->note : ""}));
  }
  return preemptions;
}

json failure_of(const trace::Finding& finding) {
  std::string line = wire::failure_name(finding.kind);
  if (!finding.thread.empty()) line += " in " + trace::thread_name(finding.thread);
  std::string location = finding.location();
  if (!location.empty()) line += " at " + location;
  return {{"kind", wire::failure_name(finding.kind)}, {"line", line}, {"message", finding.message}};
}

}  // namespace

std::string story_of(const Replayed& replayed, const std::string& program,
                     const std::string& schedule) {
  const Examined& examined = *replayed.examined;
  auto count = static_cast<uint32_t>(examined.steps.size());
  uint32_t first = count - std::min(count, kMostSteps);
  bool failed = examined.result.ending == wire::Ending::failed;
  json story = {{"program", program},
                {"schedule", schedule},
                {"notes", replayed.summary.notes},
                {"threads", threads_of(examined)},
                {"count", count},
                {"first", first},
                {"steps", steps_of(examined, first)},
                {"preemptions", preemptions_of(examined)}};
  if (failed) story["failure"] = failure_of(*examined.finding);
  return story.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace heddle::session
