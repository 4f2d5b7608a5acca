#include "explore/subtrees.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "base/check.h"

namespace heddle::explore {

uint64_t Subtrees::Unit::schedules() const {
  uint64_t sum = 0;
  for (const wire::SubtreeEntry& entry : entries) sum += entry.last - entry.choice + 1u;
  return sum;
}

Subtrees::Subtrees(const StrategyOptions& options)
    : is_on_(options.subtrees),
      delays_(options.delays.value_or(wire::kNoBound)),
      preemptions_(options.preemptions.value_or(wire::kNoBound)),
      depth_(options.depth.value_or(wire::kNoStep)) {
  // For tests, whose programs are small.
  const char* after = std::getenv("HEDDLE_SUBTREES_AFTER");
  if (after != nullptr) alone_ = std::strtoull(after, nullptr, 10);
}

uint64_t Subtrees::most_under_way() const {
  return std::clamp(executions_ / (kShare * kSmallest), kFewest, kMost);
}

uint32_t Subtrees::budget() const {
  return static_cast<uint32_t>(std::clamp<uint64_t>(executions_ / (kShare * most_under_way()),
                                                    kSmallest, wire::kMostOfSubtree));
}

uint64_t Subtrees::schedules() const {
  uint64_t sum = 0;
  for (const Unit& unit : units_) sum += unit.schedules();
  return sum;
}

void Subtrees::add(Unit unit) {
  HEDDLE_CHECK(!unit.entries.empty());
  if (free_.empty()) {
    free_.push_back(static_cast<uint32_t>(units_.size()));
    units_.emplace_back();
  }
  uint32_t number = free_.back();
  free_.pop_back();
  units_[number] = std::move(unit);
  ready_.push_back(number);
  begun_ = true;
}

uint32_t Subtrees::words_of(const Unit& unit) const {
  return static_cast<uint32_t>(unit.decisions.size() + wire::kWordsOfOrder +
                               wire::kWordsOfEntry * unit.entries.size());
}

pool::Plan Subtrees::take() {
  uint32_t number = ready_.front();
  ready_.pop_front();
  ++under_way_;
  const Unit& unit = units_[number];
  pool::Plan plan;
  plan.token = number;
  plan.bound = preemptions_;
  plan.depth = depth_;
  plan.executions = budget();
  plan.decision_count = words_of(unit) + static_cast<uint32_t>(keys_.size());
  plan.hint_count = plan.decision_count - static_cast<uint32_t>(unit.decisions.size());
  return plan;
}

void Subtrees::write_decisions(const pool::Plan& plan, wire::Decision* out) const {
  static_assert(sizeof(wire::SubtreeOrder) == wire::kWordsOfOrder * sizeof(wire::Decision));
  static_assert(sizeof(wire::SubtreeEntry) == wire::kWordsOfEntry * sizeof(wire::Decision));
  const Unit& unit = units_[plan.token];
  // Keys that have come since are not of this plan.
  wire::SubtreeOrder order{static_cast<uint32_t>(unit.entries.size()),
                           plan.decision_count - words_of(unit), delays_, kSteps};
  out = std::ranges::copy(unit.decisions, out).out;
  std::memcpy(out, &order, sizeof order);
  out += wire::kWordsOfOrder;
  std::memcpy(out, unit.entries.data(), unit.entries.size() * sizeof(wire::SubtreeEntry));
  out += wire::kWordsOfEntry * unit.entries.size();
  if (order.keys != 0) std::memcpy(out, keys_.data(), order.keys * sizeof(uint64_t));
}

void Subtrees::failed(uint64_t key) {
  if (keys_.size() < wire::kMostSubtreeKeys && std::ranges::find(keys_, key) == keys_.end()) {
    keys_.push_back(key);
  }
}

Subtrees::Unit Subtrees::give_back(uint32_t number) {
  Unit unit = std::move(units_[number]);
  units_[number] = {};
  free_.push_back(number);
  return unit;
}

void Subtrees::stopped_early(uint64_t executions) {
  patience_ = executions < kShort ? std::min<uint64_t>(2 * patience_, kLongestAlone) : 1;
  alone_ = std::max(alone_, patience_);
}

std::optional<Subtrees::Unit> Subtrees::learn(const pool::Plan& plan,
                                              const causality::Subtree& subtree, uint64_t waiting) {
  auto number = static_cast<uint32_t>(plan.token);
  const wire::SubtreeReport& report = subtree.report;
  --under_way_;
  executions_ += report.executions;
  in_subtrees_ += report.executions;
  if (report.end == wire::SubtreeEnd::lost) {
    stopped_early(0);
    alone_ = std::max<uint64_t>(alone_, plan.executions);
    return give_back(number);
  }
  Unit& unit = units_[number];
  unit.decisions.assign(subtree.decisions.begin(), subtree.decisions.end());
  unit.entries.assign(subtree.entries.begin(), subtree.entries.end());
  switch (report.end) {
    case wire::SubtreeEnd::complete:
      give_back(number);
      return std::nullopt;
    case wire::SubtreeEnd::special:
      stopped_early(report.executions);
      return give_back(number);
    default:
      patience_ = 1;
      put_back(number, waiting);
      return std::nullopt;
  }
}

// In two, as long as there are too few: what departs earliest is the largest.
void Subtrees::put_back(uint32_t number, uint64_t waiting) {
  ready_.push_back(number);
  uint64_t known = waiting + ready_.size() + under_way_;
  while (known++ < most_under_way() && units_[number].entries.size() > 1) {
    Unit& unit = units_[number];
    wire::SubtreeEntry first = unit.entries.front();
    Unit other{{unit.decisions.begin(), unit.decisions.begin() + first.depth}, {first}};
    unit.entries.erase(unit.entries.begin());
    add(std::move(other));
  }
}

bool Subtrees::knows(const pool::Plan& plan) const {
  if (plan.token >= units_.size() || std::ranges::find(ready_, plan.token) != ready_.end()) {
    return false;
  }
  const Unit& unit = units_[plan.token];
  uint64_t words = words_of(unit);
  return !unit.entries.empty() && plan.executions <= wire::kMostOfSubtree &&
         plan.skipped < plan.executions && plan.decision_count >= words &&
         plan.decision_count - words <= keys_.size() &&
         plan.hint_count == plan.decision_count - unit.decisions.size();
}

void Subtrees::save(ByteWriter& out) const {
  for (uint64_t number : {alone_, patience_, executions_, in_subtrees_, under_way_}) {
    out.put(number);
  }
  out.put(begun_);
  out.put_all(keys_);
  out.put_all(free_);
  out.put_all(std::vector<uint32_t>(ready_.begin(), ready_.end()));
  out.put<uint64_t>(units_.size());
  for (const Unit& unit : units_) {
    out.put_all(unit.decisions);
    out.put_all(unit.entries);
  }
}

void Subtrees::load(ByteReader& in) {
  for (uint64_t* number : {&alone_, &patience_, &executions_, &in_subtrees_, &under_way_}) {
    in.get(number);
  }
  in.get(&begun_);
  keys_ = in.get_all<uint64_t>();
  free_ = in.get_all<uint32_t>();
  std::vector<uint32_t> ready = in.get_all<uint32_t>();
  ready_.assign(ready.begin(), ready.end());
  units_.resize(in.get_count());
  for (Unit& unit : units_) {
    unit.decisions = in.get_all<wire::Decision>();
    unit.entries = in.get_all<wire::SubtreeEntry>();
    in.check(causality::can_wait(unit.decisions, unit.entries) &&
             words_of(unit) <= wire::kMostSubtreeWords + wire::kWordsOfOrder);
  }
  in.check(keys_.size() <= wire::kMostSubtreeKeys &&
           free_.size() + ready_.size() + under_way_ == units_.size());
  // Each of them once, and none of the free is anything.
  std::vector<bool> seen(units_.size());
  auto look_at = [&](uint32_t number, bool is_free) {
    in.check(number < units_.size() && !seen[number] && units_[number].entries.empty() == is_free);
    seen[number] = true;
  };
  for (uint32_t number : free_) look_at(number, true);
  for (uint32_t number : ready_) look_at(number, false);
}

}  // namespace heddle::explore
