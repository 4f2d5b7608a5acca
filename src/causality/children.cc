// The children of an execution: which others differ from it by one step that comes before a pick.
#include "causality/blocking.h"
#include "causality/lineage.h"
#include "wire/dependence.h"

namespace heddle::causality {

using wire::Op;

namespace {

bool is_access(const wire::Step& step) { return wire::has(step.op, wire::kAccess); }

// It may succeed elsewhere, or fail.
bool may_change_or_not(const wire::Step& step) { return step.op == Op::atomic_cas; }

}  // namespace

// False: there are too many.
bool Lineage::find_children(const Pick& pick) {
  const wire::Step& step = event(pick.step);
  if (!is_access(step) && step.op != Op::lock) return true;
  for (uint32_t thread = 0; thread < thread_count_; ++thread) {
    if (thread != step.thread && !find_candidates(pick, thread)) return false;
  }
  return true;
}

// The steps of a thread from the one on that could come before the pick without what is there
// before it now, up to the first that comes after it.
bool Lineage::find_candidates(const Pick& pick, uint32_t thread) {
  const wire::Step& picked = event(pick.step);
  wire::Effect effect = wire::effect_elsewhere(picked);
  const uint32_t* known = races_->known_at(pick.step);
  uint32_t from = cut(kBefore)[thread] > known[thread] ? cut(kBefore)[thread] : known[thread];
  uint32_t number = races_->next_event(thread, from);
  while (number != wire::kNoStep) {
    const wire::Step& step = event(number);
    bool are_locks = picked.op == Op::lock && step.op == Op::lock && picked.object == step.object;
    bool depends = are_locks || (is_access(picked) && is_access(step) &&
                                 wire::depend(effect, wire::effect_elsewhere(step)));
    if (depends) {
      Candidate candidate{pick, number, are_locks};
      Cut chosen = cut(kChosen);
      copy(cut(kBefore), chosen);
      join(pick.step, chosen);
      chosen[picked.thread] = cut(kBefore)[picked.thread];
      bool fits = add_needed(number, chosen) && chosen[picked.thread] <= pick.step &&
                  chosen[thread] <= number && !(are_locks && is_held(number, chosen));
      if (fits && (!find_further(candidate) || !choose(candidate, 0, kChosen))) return false;
    }
    bool is_after = number >= steps_ || races_->known_at(number)[picked.thread] > pick.step;
    if (is_after) break;
    number = races_->next_event(thread, number + 1);
  }
  return true;
}

// What has to come before a step or pending operation wherever it comes. False: it cannot be
// elsewhere.
bool Lineage::add_needed(uint32_t number, Cut into) const {
  const wire::Step& step = event(number);
  uint32_t previous = races_->previous_of_thread(number);
  if (previous != kNone) join(previous, into);
  if (step.after != wire::kNoStep) join(step.after, into);
  return number < steps_ || step.op == Op::lock;
}

// The steps on which the candidate would depend, and which neither need the pick nor the candidate.
bool Lineage::find_further(const Candidate& candidate) {
  further_.clear();
  left_out_.clear();
  if (candidate.locks) return true;
  const wire::Step& picked = event(candidate.pick.step);
  const wire::Step& step = event(candidate.event);
  const uint32_t* needed = cut(kChosen);
  bool is_same = !overlaps_ && picked.object == step.object;
  // All that comes after a change depends on it.
  if (is_same && wire::effect_kind(picked) == 'w') return true;
  wire::Effect effect = wire::effect_elsewhere(step);
  for (uint32_t i = candidate.pick.step + 1; i < steps_; ++i) {
    const wire::Step& other = event(i);
    if (is_in(i, needed) || wire::op_effect(other.op) == '-') continue;
    if (!wire::depend(wire::effect_of(other), effect)) continue;
    const uint32_t* known = races_->known_at(i);
    if (known[picked.thread] > candidate.pick.step) {
      if (is_same && wire::effect_kind(other) == 'w') break;
      continue;
    }
    if (known[step.thread] > needed[step.thread]) continue;
    if (further_.size() == kMostFurther) return false;
    further_.push_back(i);
    left_out_.push_back(0);
  }
  return true;
}

// Each set of further steps, with what they need. False: there are too many.
bool Lineage::choose(const Candidate& candidate, uint32_t from, uint32_t which) {
  while (from < further_.size() && is_in(further_[from], cut(which))) ++from;
  if (from == further_.size()) {
    if (++tried_ > kMostTried) return false;
    if (may_be(candidate, cut(which)) && follows_by_default(candidate, cut(which))) {
      add_child(candidate, cut(which));
    }
    return true;
  }
  Cut with = cut(which + 1);
  copy(cut(which), with);
  join(further_[from], with);
  bool fits = true;
  for (uint32_t i = 0; i < from && fits; ++i) fits = left_out_[i] == 0 || !is_in(further_[i], with);
  if (fits && !choose(candidate, from + 1, which + 1)) return false;
  left_out_[from] = 1;
  bool done = choose(candidate, from + 1, which);
  left_out_[from] = 0;
  return done;
}

// Whether the candidate, with what was chosen before it, can be the last of the pick's inversion.
bool Lineage::may_be(const Candidate& candidate, const uint32_t* chosen) {
  const wire::Step& step = event(candidate.event);
  if (!may_change_or_not(step)) {
    return may_be(candidate, chosen, wire::op_effect(step.op) == 'r');
  }
  if (!overlaps_ && candidate.event < steps_) {
    uint32_t then = last_change(step, steps_, chosen);
    if (then == last_change(step, candidate.event, nullptr)) {
      return may_be(candidate, chosen, (step.flags & wire::kOnlyReads) != 0);
    }
  }
  return may_be(candidate, chosen, false) || may_be(candidate, chosen, true);
}

bool Lineage::may_be(const Candidate& candidate, const uint32_t* chosen, bool only_reads) {
  const wire::Step& step = event(candidate.event);
  // Then the pick does what it has done.
  if (only_reads && wire::effect_kind(event(candidate.pick.step)) == 'r') return false;
  wire::Effect effect = wire::effect_of(step);
  effect.kind = only_reads ? 'r' : 'w';
  Cut before = cut(kNeeded);
  copy(cut(kBefore), before);
  add_needed(candidate.event, before);
  for (uint32_t i = candidate.pick.begin; i < steps_; ++i) {
    bool depends =
        is_in(i, chosen) && !is_in(i, before) && wire::depend(wire::effect_of(event(i)), effect);
    if (depends) join(i, before);
  }
  // The rest comes before the pick for itself.
  const uint32_t* known = races_->known_at(candidate.pick.step);
  for (uint32_t thread = 0; thread < thread_count_; ++thread) {
    if (chosen[thread] <= before[thread]) continue;
    if (chosen[thread] > known[thread]) return false;
    if (thread <= step.thread) continue;
    bool is_last = true;
    for (uint32_t other = 0; other < thread_count_ && is_last; ++other) {
      if (other == thread || chosen[other] <= before[other]) continue;
      is_last = races_->known_at(chosen[other] - 1)[thread] < chosen[thread];
    }
    if (is_last) return false;
  }
  return true;
}

// The last step before `end` that changes what the step is on; of a part, if there is one.
uint32_t Lineage::last_change(const wire::Step& step, uint32_t end, const uint32_t* within) const {
  for (uint32_t i = end; i-- > 0;) {
    const wire::Step& other = event(i);
    bool changes = other.object == step.object && wire::effect_kind(other) == 'w';
    if (changes && (within == nullptr || is_in(i, within))) return i;
  }
  return kNone;
}

// Whether the default, after what was chosen and the pick, would lead to this execution.
bool Lineage::follows_by_default(const Candidate& candidate, const uint32_t* chosen) {
  Cut walked = cut(kWalked);
  copy(chosen, walked);
  uint32_t pick = candidate.pick.step;
  uint32_t last = thread_of(pick);
  walked[last] = pick + 1;
  uint32_t count = 0;  // of steps walked
  for (uint32_t i = candidate.pick.begin; i < steps_; ++i) count += is_in(i, walked) ? 1 : 0;
  count += candidate.pick.begin;
  uint32_t first = candidate.pick.begin;  // all before it are walked
  for (;;) {
    while (first < steps_ && is_in(first, walked)) ++first;
    // From here on it is as in the execution.
    bool is_beginning = count == first && thread_of(first - 1) == last;
    if (first == steps_ || (is_beginning && last_inversion_ <= first)) return true;
    uint32_t thread = next(walked, last);
    if (thread == kNone) return false;
    uint32_t number = races_->next_event(thread, walked[thread]);
    if (number >= steps_) return false;
    const uint32_t* known = races_->known_at(number);
    for (uint32_t i = 0; i < thread_count_; ++i) {
      if (i != thread && known[i] > walked[i]) return false;
    }
    walked[thread] = number + 1;
    last = thread;
    ++count;
  }
}

void Lineage::add_child(const Candidate& candidate, const uint32_t* chosen) {
  Child child{candidate.pick.begin, static_cast<uint32_t>(schedules_.size()), 0};
  uint32_t step = child.step;
  uint32_t running = kNone;
  auto add = [&](uint32_t thread, bool is_last) {
    bool goes_on = thread == running && !is_last;
    if (!goes_on) schedules_.push_back({step, static_cast<uint16_t>(thread), 0});
    running = thread;
    ++step;
  };
  for (uint32_t i = candidate.pick.begin; i < steps_; ++i) {
    if (is_in(i, chosen)) add(thread_of(i), false);
  }
  add(thread_of(candidate.event), candidate.locks);
  if (!candidate.locks) add(thread_of(candidate.pick.step), true);
  child.count = static_cast<uint32_t>(schedules_.size()) - child.first;
  children_.push_back(child);
}

}  // namespace heddle::causality
