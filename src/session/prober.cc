#include "session/prober.h"

#include <algorithm>

namespace heddle::session {

namespace {

// What a dead worker costs, in steps: another one has to be forked.
constexpr uint64_t kOfDeath = 20'000;
// A hang takes seconds to be found out: one is enough.
constexpr uint64_t kOfHang = ~uint64_t{0};

}  // namespace

uint32_t switches_of(std::span<const wire::Step> steps) {
  uint32_t switches = 0;
  for (size_t i = 1; i < steps.size(); ++i) {
    switches += steps[i].thread != steps[i - 1].thread ? 1 : 0;
  }
  return switches;
}

Cost KnownRun::cost() const { return {result.preemptions, switches_of(steps), result.step_count}; }

KnownRun known_run(const Probe& probe) {
  return {probe.result, {probe.steps.begin(), probe.steps.end()}};
}

void Budget::pay(const wire::Result& result) {
  uint64_t price = uint64_t{of_execution_} + result.step_count;
  if (result.failure == wire::Failure::crash) price += kOfDeath;
  if (result.failure == wire::Failure::hang) price = kOfHang;
  left_ -= std::min(left_, price);
}

Budget Budget::part(uint64_t units) {
  units = std::min(units, left_);
  left_ -= units;
  return {units, of_execution_, end_};
}

std::optional<KnownRun> run_one(Prober& prober, const Rerun& rerun) {
  std::optional<KnownRun> seen;
  bool asked = false;
  auto next = [&]() -> std::optional<Rerun> {
    if (asked) return std::nullopt;
    asked = true;
    return rerun;
  };
  auto see = [&](const Probe& probe) {
    seen = known_run(probe);
    return false;
  };
  if (!prober.run_all(next, see)) return std::nullopt;
  return seen;
}

Rerun rerun_along(trace::Schedule schedule, uint32_t flags) {
  Rerun rerun;
  rerun.schedule = std::move(schedule);
  rerun.flags = flags;
  return rerun;
}

trace::Schedule branch_off(std::span<const wire::Step> steps, uint32_t count, uint32_t choice) {
  trace::Schedule schedule = trace::schedule_of(steps.first(count));
  if (choice != 0) schedule.push_back({count, choice});
  return schedule;
}

std::optional<StateNotes::Note> StateNotes::at(uint32_t step) {
  constexpr size_t kWords = 3;
  while (notes_.size() >= kWords && notes_.front() < step) notes_ = notes_.subspan(kWords);
  if (notes_.size() < kWords || notes_.front() != step) return std::nullopt;
  return Note{notes_[0], notes_[1], notes_[2]};
}

}  // namespace heddle::session
