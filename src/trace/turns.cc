#include "trace/turns.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "trace/thread_paths.h"

namespace heddle::trace {
namespace {

using wire::Op;

bool is_preemption(const wire::Step& step) {
  return step.choice >= step.free_options && step.choice != 0;
}

std::string line_of(const DetailedStep& step) {
  const Place* place = user_place(step.stack);
  return place != nullptr ? short_place(*place) : "";
}

class Turns {
 public:
  explicit Turns(const TurnsInput& input)
      : input_(input), steps_(input.steps), finding_(*input.finding), end_(steps_.size()) {
    if (!finding_.cycle) return;
    cycle_begin_ = finding_.cycle->begin;
    end_ = std::min<size_t>(end_, cycle_begin_ + size_t{finding_.cycle->length});
  }

  std::vector<Turn> make() {
    std::vector<Turn> turns;
    ThreadPaths paths(steps_);
    for (uint32_t begin = 0; begin < end_;) {
      uint32_t end = begin + 1;
      while (end < end_ && steps_[end].thread == steps_[begin].thread && end != cycle_begin_) ++end;
      if (turns.size() == kMaxTurns) return {};
      turns.emplace_back();
      turns.back().thread = paths.path(steps_[begin].thread);
      turns.back().begin = begin;
      turns.back().end = end;
      begin = end;
    }
    // From the last to the first: then the next step of each thread is known.
    std::unordered_map<uint16_t, size_t> next;
    for (size_t i = end_; i-- > cycle_begin_;) next[steps_[i].thread] = i;
    size_t known = steps_.size();  // `next` holds those of the steps from here on
    for (size_t i = turns.size(); i-- > 0;) {
      Turn& turn = turns[i];
      for (; known > turn.end; --known) next[steps_[known - 1].thread] = known - 1;
      auto found = next.find(steps_[turn.begin].thread);
      complete(found != next.end() ? std::optional(found->second) : std::nullopt, &turn);
    }
    return turns;
  }

 private:
  // `next`: the step with which the thread goes on; none: it never does.
  void complete(std::optional<size_t> next, Turn* turn) {
    const wire::Step& last = steps_[turn->end - 1];
    if (last.op == Op::end) {
      turn->stop = Turn::Stop::ended;
      return;
    }
    if (turn->end == steps_.size() && finding_.kind != wire::Failure::deadlock && !finding_.cycle) {
      turn->stop = Turn::Stop::last;
      return;
    }
    turn->next = next ? detail(*next) : at_end(last.thread);
    turn->stop = stop(turn->next.op, turn->end);
    count(next, turn);
    if (turn->stop == Turn::Stop::blocked) name_sleep(turn);
  }

  Turn::Stop stop(Op next, size_t end) const {
    bool waits = wire::has(next, wire::kWaits);
    if (end == steps_.size()) return finding_.cycle ? Turn::Stop::gives_way : Turn::Stop::blocked;
    bool same_thread = steps_[end].thread == steps_[end - 1].thread;
    if (same_thread || is_preemption(steps_[end])) return Turn::Stop::preempted;
    bool yields = (steps_[end - 1].flags & (wire::kYields | wire::kSpins)) != 0;
    return waits && !yields ? Turn::Stop::blocked : Turn::Stop::gives_way;
  }

  // What a thread that sleeps does when it wakes depends on how it wakes.
  void name_sleep(Turn* turn) const {
    Op last = steps_[turn->end - 1].op;
    if (last != Op::cond_wait && last != Op::futex_wait) return;
    turn->next = detail(turn->end - 1);
    turn->next.op = last == Op::cond_wait ? Op::cond_sleep : Op::futex_sleep;
  }

  // Of the first round of a cycle there may be no details any more: the last one has the same.
  size_t in_last_round(size_t index) const {
    if (index < cycle_begin_ || index >= end_) return index;
    return index + size_t{finding_.cycle->length} * (finding_.cycle->repeats - 1);
  }
  DetailedStep detail(size_t index) const { return input_.detail(in_last_round(index)); }
  bool has_detail(size_t index) const {
    return in_last_round(index) + wire::kDetailedSteps >= steps_.size();
  }

  DetailedStep at_end(uint16_t thread) const {
    DetailedStep step;
    step.op = Op::fence;  // nothing is known of it
    if (thread >= finding_.threads.size()) return step;
    const ThreadAtEnd& state = finding_.threads[thread];
    step.op = state.pending;
    step.object = state.object;
    step.naming = state.naming;
    step.stack = state.stack;
    return step;
  }

  // Of a thread that never goes on, the object is known by its name only.
  void count(std::optional<size_t> next, Turn* turn) {
    Deed deed = deed_of(turn->next.op);
    std::string line = line_of(turn->next);
    bool has_details = has_detail(turn->begin);
    if (!has_details) turn->in_line = 0;
    if (deed == Deed::updates) turn->updates = 1;
    for (size_t i = turn->begin + 1; i < turn->end; ++i) {
      const wire::Step& step = steps_[i];
      DetailedStep detailed = has_details ? detail(i) : DetailedStep{};
      bool same_object = next ? step.object == steps_[*next].object
                              : has_details && detailed.object == turn->next.object;
      if (same_object && deed_of(step.op) == deed) ++turn->same;
      if (same_object && wire::has(step.op, wire::kAccess)) ++turn->accesses;
      if (same_object && deed_of(step.op) == Deed::updates) ++turn->updates;
      if (has_details && line_of(detailed) == line) ++turn->in_line;
    }
  }

  const TurnsInput& input_;
  std::span<const wire::Step> steps_;
  const Finding& finding_;
  size_t cycle_begin_ = ~size_t{0};
  size_t end_;
};

}  // namespace

Deed deed_of(Op op) {
  auto is = [&](uint32_t trait) { return wire::has(op, static_cast<wire::OpTrait>(trait)); };
  if (is(wire::kAccess)) {
    if (wire::op_effect(op) == 'r') return Deed::reads;
    return is(wire::kMayOnlyRead) ? Deed::updates : Deed::writes;
  }
  if (is(wire::kLocks) || is(wire::kTries) || is(wire::kForReading) || is(wire::kForWriting))
    return Deed::locks;
  if (is(wire::kReleases) && (is(wire::kLetsGo) || is(wire::kLetsRead))) return Deed::unlocks;
  bool waits_on = op == Op::cond_wait || op == Op::futex_wait;
  if (waits_on || is(wire::kForPost) || is(wire::kArrives)) return Deed::waits;
  return Deed::other;
}

std::vector<Turn> turns_of(const TurnsInput& input) { return Turns(input).make(); }

}  // namespace heddle::trace
