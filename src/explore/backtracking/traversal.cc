#include "explore/backtracking/traversal.h"

#include <algorithm>
#include <array>
#include <bit>

#include "explore/backtracking/luby.h"

namespace heddle::explore {

namespace {

constexpr uint32_t kHints = 5;     // runtime/decide/descend.h
constexpr uint64_t kAtTheEnd = 1;  // tells the key of an end from that of a state on the way

}  // namespace

Traversal::Traversal(const StrategyOptions& options, uint32_t threshold, uint64_t seed)
    : options_(options.descent),
      bound_(options.preemptions.value_or(wire::kNoBound)),
      depth_(options.depth.value_or(wire::kNoStep)),
      matches_(options.match),
      threshold_(threshold),
      random_(seed) {}

pool::Plan Traversal::next() {
  pool::Plan plan;
  plan.flags = wire::kWantSteps | wire::kObserveBranches | wire::kWantPending | wire::kWantOptions |
               wire::kNoteStates;
  plan.decider = wire::Decider::descend;
  plan.seed = random_.next();
  plan.bound = bound_;
  plan.depth = depth_;
  plan.hint_count = kHints;
  plan.decision_count = static_cast<uint32_t>(stack_.size()) + kHints;
  if (!stack_.empty()) {
    plan.first_step = stack_.back().step + 1;
    plan.check_step = stack_.back().step;
    plan.check = stack_.back().check;
  }
  return plan;
}

void Traversal::write_decisions(wire::Decision* out) const {
  for (const Frame& frame : stack_) *out++ = {frame.step, frame.taken};
  std::array<uint64_t, kHints> hints = {static_cast<uint64_t>(options_.order), threshold_,
                                        options_.ratio.constant, options_.ratio.divisor,
                                        stack_.size()};
  for (uint64_t hint : hints) *out++ = std::bit_cast<wire::Decision>(hint);
}

bool Traversal::knows(const pool::Plan& plan) const {
  return plan.executions == 0 && plan.hint_count == kHints &&
         plan.decision_count == stack_.size() + kHints;
}

bool Traversal::count(bool is_new) {
  if (matches_ && !is_new) return false;
  ++states_;
  return true;
}

void Traversal::push(const wire::Branch& branch, std::span<const uint16_t> threads,
                     uint32_t running) {
  Frame frame{branch.step, branch.check, branch.choice, {}};
  for (uint32_t choice = branch.options; choice-- > 0;) {
    if (choice != branch.choice) frame.others.push_back(static_cast<uint16_t>(choice));
  }
  if (options_.order == wire::DescentOrder::by_chance) {
    for (size_t i = frame.others.size(); i > 1; --i) {
      std::swap(frame.others[i - 1], frame.others[random_.below(i)]);
    }
  } else {
    bool is_last = options_.order == wire::DescentOrder::other_than_last;
    auto rank = [&](uint16_t choice) {
      size_t option = size_t{branch.first_option} + choice;
      uint32_t thread = option < threads.size() ? threads[option] : wire::kMaxThreads;
      return std::pair(is_last && thread == running, thread);
    };
    // The next one is taken from the end.
    std::ranges::stable_sort(frame.others, std::greater(), rank);
  }
  stack_.push_back(std::move(frame));
}

void Traversal::learn(const causality::Observation& observation) {
  held_back_ = held_back_ || observation.held_back();
  descend(observation);
  find_next();
}

// Along what the execution did after the transition that it was to take.
void Traversal::descend(const causality::Observation& observation) {
  const causality::Execution& execution = observation.execution();
  const wire::Result& result = execution.result;
  StateMatcher::Left left{bound_ != wire::kNoBound, false, 0, depth_ != wire::kNoStep};
  matcher_.look_at(execution);
  for (const wire::Branch& branch : observation.branches()) {
    if (!count(matcher_.visit(branch, left))) return;
    const wire::Step& before = execution.steps[branch.step == 0 ? 0 : branch.step - 1];
    push(branch, execution.option_threads, before.thread);
  }
  bool is_stopped =
      result.ending == wire::Ending::redundant && matcher_.has_note(result.step_count);
  bool is_new = is_stopped
                    ? matcher_.visit(result.step_count, result.preemptions, left, result.sequence)
                    : matcher_.visit_key(mix(result.fingerprint, kAtTheEnd));
  if (!count(is_new)) return;
  has_pruned_ = has_pruned_ || is_stopped;
  begin_jump(stack_.size() + 1);
}

// The algorithm goes back from a state of this depth.
void Traversal::begin_jump(size_t depth) {
  ++jumps_;
  uint64_t length = 1;
  if (options_.jump == Jump::random) length = 1 + random_.below(depth);
  if (options_.jump == Jump::luby) length = luby(jumps_);
  again_ = length - 1;
}

// Goes back, and to the next transition that is to be taken.
void Traversal::find_next() {
  for (; !stack_.empty(); stack_.pop_back()) {
    Frame& frame = stack_.back();
    if (!frame.others.empty() && stack_.size() < threshold_) again_ = 0;
    if (again_ > 0) {
      --again_;
      has_pruned_ = has_pruned_ || !frame.others.empty();
      continue;
    }
    bool is_stopped = false;
    if (!frame.others.empty() && stack_.size() >= threshold_) {
      is_stopped = !goes_on(options_.ratio, stack_.size(), random_.next());
    }
    has_pruned_ = has_pruned_ || is_stopped;
    if (frame.others.empty() || is_stopped) {
      begin_jump(stack_.size());
      continue;
    }
    frame.taken = frame.others.back();
    frame.others.pop_back();
    return;
  }
  is_finished_ = true;
}

void Traversal::save(ByteWriter& out) const {
  out.put(random_);
  out.put<uint64_t>(stack_.size());
  for (const Frame& frame : stack_) {
    out.put(frame.step);
    out.put(frame.check);
    out.put(frame.taken);
    out.put_all(frame.others);
  }
  matcher_.save(out);
  out.put(states_);
  out.put(jumps_);
  out.put(again_);
  out.put(is_finished_);
  out.put(has_pruned_);
  out.put(held_back_);
}

void Traversal::load(ByteReader& in) {
  in.get(&random_);
  stack_.resize(in.get_count());
  for (Frame& frame : stack_) {
    in.get(&frame.step);
    in.get(&frame.check);
    in.get(&frame.taken);
    frame.others = in.get_all<uint16_t>();
  }
  matcher_.load(in);
  in.get(&states_);
  in.get(&jumps_);
  in.get(&again_);
  in.get(&is_finished_);
  in.get(&has_pruned_);
  in.get(&held_back_);
}

}  // namespace heddle::explore
