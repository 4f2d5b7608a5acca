#include "explore/guide/guide.h"

#include <algorithm>
#include <array>
#include <bit>

namespace heddle::explore {

namespace {

constexpr uint32_t kHints = 3;      // runtime/decide/guide.h
constexpr uint64_t kAhead = 4;      // of what was learnt, how much may be under way
constexpr uint32_t kRankBits = 24;  // of the distance, in a rank

}  // namespace

Guide::Guide(const StrategyOptions& options)
    : options_(options.guide),
      bound_(options.preemptions.value_or(wire::kNoBound)),
      depth_(options.depth.value_or(wire::kNoStep)),
      random_(options.seed),
      points_(options.guide.places, options.guide.backtracks) {}

uint32_t Guide::new_descent() {
  uint32_t number = static_cast<uint32_t>(descents_.size());
  if (free_.empty()) {
    descents_.emplace_back();
  } else {
    number = free_.back();
    free_.pop_back();
  }
  descents_[number].live = 1;
  return number;
}

void Guide::release(uint32_t descent) {
  if (--descents_[descent].live > 0) return;
  descents_[descent].choices.clear();
  free_.push_back(descent);
}

std::optional<pool::Plan> Guide::next() {
  if (issued_ - learnt_ > learnt_ / kAhead) return std::nullopt;
  pool::Plan plan;
  plan.flags = wire::kWantSteps | wire::kObserveBranches | wire::kNoteRanks;
  plan.decider = wire::Decider::guide;
  plan.bound = bound_;
  plan.depth = depth_;
  plan.hint_count = kHints;
  plan.parameter = options_.places;
  std::vector<Choice> choices;
  if (issued_ != 0) {
    std::optional<BacktrackPoint> point = points_.take(&random_);
    if (!point) return std::nullopt;
    const std::vector<Choice>& before = descents_[point->descent].choices;
    choices.assign(before.begin(), before.begin() + point->branch + 1);
    choices.back().choice = point->choice;
    plan.first_step = choices.back().step + 1;
    plan.check_step = choices.back().step;
    plan.check = choices.back().check;
    release(point->descent);
  }
  plan.seed = random_.next();
  plan.token = new_descent();
  if (!options_.sequences.empty()) {
    descents_[plan.token].sequence = options_.sequences[issued_ % options_.sequences.size()];
  }
  ++issued_;
  plan.decision_count = static_cast<uint32_t>(choices.size()) + kHints;
  descents_[plan.token].choices = std::move(choices);
  return plan;
}

void Guide::learn(const pool::Plan& plan, causality::Observation& observation) {
  ++learnt_;
  auto number = static_cast<uint32_t>(plan.token);
  std::span<const uint64_t> notes = observation.execution().notes;
  if (!notes.empty()) {
    farthest_ = std::max(farthest_, static_cast<uint32_t>(notes.front()));
    notes = notes.subspan(1);
  }
  held_back_ = held_back_ || observation.held_back();
  const wire::Result& result = observation.result();
  states_ += result.step_count - std::min(plan.first_step, result.step_count);
  Descent& descent = descents_[number];
  for (const wire::Branch& branch : observation.branches()) {
    auto index = static_cast<uint32_t>(descent.choices.size());
    descent.choices.push_back({branch.step, branch.check, branch.choice});
    while (!notes.empty() && notes.front() >> 32 < branch.step) notes = notes.subspan(1);
    for (uint32_t choice = 0; choice < branch.options; ++choice) {
      uint32_t rank = ~uint32_t{0};  // where there was no room for notes
      if (!notes.empty() && notes.front() >> 32 == branch.step) {
        rank = static_cast<uint32_t>(notes.front());
        notes = notes.subspan(1);
      }
      if (choice == branch.choice) continue;
      uint32_t passed = wire::kMaxRoute - std::min(rank >> kRankBits, wire::kMaxRoute);
      points_.add(passed, rank & ((1u << kRankBits) - 1),
                  {number, index, static_cast<uint16_t>(choice)});
      ++descent.live;
    }
  }
  release(number);
  while (std::optional<BacktrackPoint> point = points_.drop()) {
    has_dropped_ = true;
    release(point->descent);
  }
}

void Guide::write_decisions(const pool::Plan& plan, wire::Decision* out) const {
  const Descent& descent = descents_[plan.token];
  uint32_t count = plan.decision_count - kHints;
  for (const Choice& choice : std::span(descent.choices).first(count)) {
    *out++ = {choice.step, choice.choice};
  }
  std::array<uint64_t, kHints> hints = {static_cast<uint64_t>(options_.toward), options_.threads,
                                        descent.sequence};
  for (uint64_t hint : hints) *out++ = std::bit_cast<wire::Decision>(hint);
}

std::optional<Guided> Guide::guided() const {
  return Guided{options_.places, farthest_, states_, has_dropped_};
}

void Guide::save(ByteWriter& out) const {
  out.put(random_);
  points_.save(out);
  out.put<uint64_t>(descents_.size());
  for (const Descent& descent : descents_) {
    out.put_all(descent.choices);
    out.put(descent.sequence);
    out.put(descent.live);
  }
  out.put_all(free_);
  out.put(issued_);
  out.put(learnt_);
  out.put(states_);
  out.put(farthest_);
  out.put(held_back_);
  out.put(has_dropped_);
}

void Guide::load(ByteReader& in) {
  in.get(&random_);
  points_.load(in);
  descents_.resize(in.get_count());
  for (Descent& descent : descents_) {
    descent.choices = in.get_all<Choice>();
    in.get(&descent.sequence);
    in.get(&descent.live);
  }
  free_ = in.get_all<uint32_t>();
  in.get(&issued_);
  in.get(&learnt_);
  in.get(&states_);
  in.get(&farthest_);
  in.get(&held_back_);
  in.get(&has_dropped_);
  points_.for_each([&](const BacktrackPoint& point) {
    in.check(point.descent < descents_.size() && descents_[point.descent].live != 0 &&
             point.branch < descents_[point.descent].choices.size());
  });
  for (uint32_t number : free_) {
    in.check(number < descents_.size() && descents_[number].live == 0);
  }
  in.check(learnt_ <= issued_);
}

bool Guide::knows(const pool::Plan& plan) const {
  if (plan.token >= descents_.size() || descents_[plan.token].live == 0) return false;
  return plan.executions == 0 && plan.hint_count == kHints && plan.decision_count >= kHints &&
         plan.decision_count - kHints <= descents_[plan.token].choices.size();
}

}  // namespace heddle::explore
