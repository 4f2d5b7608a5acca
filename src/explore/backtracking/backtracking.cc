#include "explore/backtracking/backtracking.h"

#include <algorithm>

namespace heddle::explore {

Backtracking::Backtracking(const StrategyOptions& options) : options_(options) { begin_again(); }

// False: it is over.
bool Backtracking::begin_again() {
  if (rounds_ != 0 && (!options_.descent.repeats || is_complete_)) return false;
  for (const Traversal& traversal : traversals_) {
    states_ += traversal.states();
    matched_ += traversal.matched();
  }
  traversals_.clear();
  for (uint32_t threshold : options_.descent.thresholds) {
    traversals_.emplace_back(options_, threshold, mix(mix(options_.seed, rounds_), threshold));
  }
  under_way_.assign(traversals_.size(), 0);
  ++rounds_;
  return true;
}

std::optional<pool::Plan> Backtracking::next() {
  if (is_complete_) return std::nullopt;
  bool is_over = std::ranges::all_of(traversals_, &Traversal::is_finished);
  if (is_over && !begin_again()) return std::nullopt;
  // Strictly in turn: who is not ready is waited for.
  while (traversals_[turn_].is_finished() && under_way_[turn_] == 0) {
    turn_ = (turn_ + 1) % traversals_.size();
  }
  if (under_way_[turn_] != 0) return std::nullopt;
  pool::Plan plan = traversals_[turn_].next();
  plan.token = turn_;
  under_way_[turn_] = 1;
  turn_ = (turn_ + 1) % traversals_.size();
  return plan;
}

void Backtracking::learn(const pool::Plan& plan, causality::Observation& observation) {
  Traversal& traversal = traversals_[plan.token];
  under_way_[plan.token] = 0;
  traversal.learn(observation);
  held_back_ = held_back_ || traversal.held_back();
  if (traversal.is_finished() && !traversal.has_pruned()) is_complete_ = true;
}

void Backtracking::write_decisions(const pool::Plan& plan, wire::Decision* out) const {
  traversals_[plan.token].write_decisions(out);
}

bool Backtracking::knows(const pool::Plan& plan) const {
  return plan.token < traversals_.size() && under_way_[plan.token] != 0 &&
         traversals_[plan.token].knows(plan);
}

std::optional<Matching> Backtracking::matching() const {
  Matching all{states_, matched_, options_.match};
  for (const Traversal& traversal : traversals_) {
    all.states += traversal.states();
    all.matched += traversal.matched();
  }
  return all;
}

void Backtracking::save(ByteWriter& out) const {
  out.put_all(under_way_);
  out.put(turn_);
  out.put(rounds_);
  out.put(states_);
  out.put(matched_);
  out.put(is_complete_);
  out.put(held_back_);
  for (const Traversal& traversal : traversals_) traversal.save(out);
}

void Backtracking::load(ByteReader& in) {
  under_way_ = in.get_all<uint8_t>();
  in.check(under_way_.size() == traversals_.size());
  in.get(&turn_);
  in.check(turn_ < traversals_.size());
  in.get(&rounds_);
  in.get(&states_);
  in.get(&matched_);
  in.get(&is_complete_);
  in.get(&held_back_);
  for (Traversal& traversal : traversals_) traversal.load(in);
}

}  // namespace heddle::explore
