#include "session/place_survey.h"

#include <fmt/format.h>

#include <algorithm>

#include "session/run_search.h"
#include "trace/conflict_pairs.h"
#include "trace/make_finding.h"
#include "trace/pieces.h"
#include "trace/thread_paths.h"
#include "trace/words.h"

namespace heddle::session {

namespace {

bool is_plain(wire::Op op) { return op == wire::Op::read || op == wire::Op::write; }

// An address says nothing about a place.
std::string named_object(const trace::DetailedStep& step) {
  bool has_name = !step.object.starts_with("0x") && !step.object.starts_with("heap 0x");
  return has_name ? step.object : "";
}

std::string location_of(const trace::DetailedStep& step) {
  const trace::Place* place = trace::user_place(step.stack);
  return place != nullptr ? trace::short_place(*place) : "?";
}

// By what is the same in all executions: not the thread, nor an object that may have no name.
std::string words_of(const trace::DetailedStep& step) {
  return fmt::format("{}@{};", trace::op_words(step.op), location_of(step));
}

}  // namespace

std::vector<Sighting> sight_conflicts(const causality::Races& races, const wire::Result&) {
  std::vector<bool> is_covered;  // by step: it is a yield point, or comes right after one
  std::vector<bool> has_yielded(races.thread_count());
  for (uint32_t i = 0; i < races.step_count(); ++i) {
    const wire::Step& step = races.event(i);
    bool yields = wire::has(step.op, wire::kEndsPiece);
    is_covered.push_back(yields || has_yielded[step.thread]);
    has_yielded[step.thread] = yields;
  }
  std::vector<Sighting> sightings;
  for (const trace::ConflictPair& pair : trace::find_conflict_pairs(races)) {
    if (!is_covered[pair.first]) sightings.push_back({pair.first, {pair.first, pair.second}});
    if (!is_covered[pair.second]) sightings.push_back({pair.second, {pair.second, pair.first}});
  }
  return sightings;
}

std::vector<Sighting> sight_interference(const causality::Races& races,
                                         const wire::Result& result) {
  std::vector<Sighting> sightings;
  bool deadlock = result.failure == wire::Failure::deadlock;
  for (const trace::Interference& one : trace::find_interference(races, deadlock)) {
    sightings.push_back({one.after, {one.before, one.after, one.entry, one.exit}});
  }
  return sightings;
}

void PlaceSurvey::begin() {
  looked_at_ = 0;
  places_.clear();
  by_location_.clear();
  case_numbers_.clear();
  known_.clear();
}

// Where a step's own pc is in the code of the user it tells the place. Where it is in a function of
// the library that was not inlined, the place is that of a caller, which a closer look shows.
bool PlaceSurvey::tells_place(uint64_t pc, const explore::Occurrence& what) {
  auto [entry, is_new] = tells_.try_emplace(pc, false);
  if (is_new) {
    symbols::CallStack stack = symbols::Symbols(what.evidence().modules).places(pc);
    const symbols::Place* place = symbols::user_place(stack);
    entry->second = place != nullptr && !place->system && place->line != 0;
  }
  return entry->second;
}

// Empty: the steps do not tell.
std::string PlaceSurvey::key_of(const Sighting& sighting, const explore::Occurrence& what) {
  std::string key;
  for (size_t i = 0; i < Sighting::kDistinct; ++i) {
    const wire::Step& step = races_.event(sighting.steps[i]);
    if (!tells_place(step.pc, what)) return "";
    key += fmt::format("{:x}/{};", step.pc, static_cast<unsigned>(step.op));
  }
  return key;
}

void PlaceSurvey::look_at(const explore::Occurrence& what, const CloserLook& closer_look) {
  const trace::Execution& execution = what.outcome.execution;
  wire::Ending ending = execution.result.ending;
  bool counts = ending != wire::Ending::redundant && ending != wire::Ending::pruned;
  if (!counts || !execution.is_whole()) return;
  ++looked_at_;
  races_.look_at(execution.result, execution.steps, execution.pending, 0);
  std::vector<std::string> keys;
  std::vector<Sighting> news;
  for (Sighting& sighting : sight_(races_, execution.result)) {
    std::string key = key_of(sighting, what);
    auto known = known_.find(key);
    if (!key.empty() && known != known_.end()) {
      count(known->second, looked_at_);
    } else {
      keys.push_back(std::move(key));
      news.push_back(std::move(sighting));
    }
  }
  if (news.empty()) return;
  std::vector<uint32_t> numbers;
  for (const Sighting& sighting : news) {
    numbers.insert(numbers.end(), sighting.steps.begin(), sighting.steps.end());
  }
  std::vector<trace::DetailedStep> steps = describe(std::move(numbers), what, closer_look);
  for (size_t i = 0; i < news.size(); ++i) {
    Known known = find(news[i], steps);
    if (!keys[i].empty()) known_.emplace(keys[i], known);
    count(known, looked_at_);
  }
}

// By rising number, each once.
std::vector<trace::DetailedStep> PlaceSurvey::describe(std::vector<uint32_t> numbers,
                                                       const explore::Occurrence& what,
                                                       const CloserLook& closer_look) const {
  std::ranges::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  std::optional<Examined> closer = closer_look();
  bool has_all = closer.has_value() && closer->steps.size() >= races_.step_count();
  trace::Evidence evidence = has_all ? std::move(*closer) : what.evidence();
  std::vector<trace::DetailedStep> steps = trace::make_steps(evidence, numbers);
  for (uint32_t number : numbers) {
    if (number < races_.step_count()) continue;
    const wire::Step& pending = races_.event(number);
    trace::DetailedStep step;
    step.step = number;
    step.op = pending.op;
    if (has_all && closer->finding && pending.thread < closer->finding->threads.size()) {
      const trace::ThreadAtEnd& thread = closer->finding->threads[pending.thread];
      step.thread = thread.thread;
      step.object = thread.object;
      step.stack = thread.stack;
    } else {
      step.thread = trace::ThreadPaths(evidence.steps).path(pending.thread);
      step.stack = symbols::Symbols(evidence.modules).places(pending.pc);
    }
    steps.push_back(std::move(step));
  }
  return steps;
}

// `steps` are by rising number, and have those of the sighting.
PlaceSurvey::Known PlaceSurvey::find(const Sighting& sighting,
                                     const std::vector<trace::DetailedStep>& steps) {
  auto step = [&](uint32_t number) -> const trace::DetailedStep& {
    return *std::ranges::lower_bound(steps, number, {}, &trace::DetailedStep::step);
  };
  const trace::DetailedStep& at = step(sighting.at);
  report::YieldPlace told;
  told.location = location_of(at);
  if (const trace::Place* source = trace::user_place(at.stack)) {
    told.file = source->file;
    told.line = source->line;
    told.function = source->function;
  }
  // Files of different folders may have the same name.
  std::string location = fmt::format("{};{}", told.file, told.location);
  auto [by_location, is_new_place] = by_location_.try_emplace(location, places_.size());
  if (is_new_place) {
    places_.emplace_back();
    places_.back().told = std::move(told);
  }
  Place& place = places_[by_location->second];
  std::string words = location + ":";
  for (size_t i = 0; i < Sighting::kDistinct; ++i) words += words_of(step(sighting.steps[i]));
  auto [number, is_new_case] = case_numbers_.try_emplace(words, place.cases.size());
  if (is_new_case) {
    Case one;
    for (uint32_t each : sighting.steps) {
      const char* pending = each < races_.step_count() ? "" : " (still waiting)";
      const trace::DetailedStep& seen = step(each);
      one.told.steps.push_back({trace::thread_name(seen.thread),
                                trace::operation_words(seen.op, named_object(seen)) + pending,
                                location_of(seen)});
      one.told.race = one.told.race || is_plain(seen.op);
    }
    place.told.race = place.told.race || one.told.race;
    place.cases.push_back(std::move(one));
  }
  return {by_location->second, number->second};
}

void PlaceSurvey::count(const Known& known, uint64_t execution) {
  Place& place = places_[known.place];
  Case& one = place.cases[known.number];
  if (place.seen_in != execution) ++place.told.executions;
  if (one.seen_in != execution) ++one.told.executions;
  place.seen_in = one.seen_in = execution;
}

std::vector<report::YieldPlace> PlaceSurvey::places() const {
  std::vector<report::YieldPlace> places;
  for (const Place& place : places_) {
    places.push_back(place.told);
    for (const Case& one : place.cases) places.back().cases.push_back(one.told);
  }
  report::rank(&places);
  return places;
}

report::YieldReport survey(const Subject& subject, const Options& options,
                           PlaceSurvey::Sight sight) {
  PlaceSurvey looks(sight);
  report::Summary summary = run_search(subject, options, &looks);
  return {std::move(summary), looks.looked_at(), looks.places()};
}

}  // namespace heddle::session
