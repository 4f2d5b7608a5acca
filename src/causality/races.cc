#include "causality/races.h"

#include <algorithm>

#include "base/hash.h"
#include "causality/blocking.h"
#include "wire/dependence.h"

namespace heddle::causality {

using wire::Op;

namespace {

// An object of its own: what all operations on descriptors touch.
constexpr uint64_t kDescriptors = 0xde5c000000000001;
constexpr uint32_t kLeastTable = 256;

// Operations that depend on nothing but their objects.
struct IsPlain {
  bool of[256] = {};
};
constexpr IsPlain kIsPlain = [] {
  IsPlain plain;
  for (int i = 0; i < 256; ++i) {
    auto op = static_cast<Op>(i);
    plain.of[i] = !wire::depends_on_all(op) && !wire::is_on_descriptor(op) && op != Op::transfer;
  }
  return plain;
}();

// Whether the execution's last step cut off what others could have done.
bool cuts_off(const wire::Result& result) {
  if (result.ending == wire::Ending::redundant) return false;
  return result.ending != wire::Ending::failed || result.failure != wire::Failure::deadlock;
}

}  // namespace

// Where the step has been joined before, so has all that happens before it: false then.
bool Races::join(uint32_t* into, uint32_t step) const {
  if (into[steps_[step].thread] > step) return false;
  const uint32_t* other = row(step);
  for (uint32_t i = 0; i < stride_; i += kLane) {
    Lane a = *lane(into, i), b = *lane(other, i);
    *lane(into, i) = a > b ? a : b;
  }
  return true;
}

uint32_t Races::find_object(uint64_t name) {
  uint64_t mask = table_.size() - 1;
  for (uint64_t i = mix(name, kMix1);; ++i) {
    Place& place = table_[i & mask];
    if (place.epoch != epoch_) {
      auto index = static_cast<uint32_t>(objects_.size());
      place = {epoch_, index};
      objects_.push_back({name, kNone, kNone, kNone});
      if (objects_.size() * 2 > table_.size()) grow_table();
      return recent_ = index;
    }
    if (objects_[place.object].name == name) return recent_ = place.object;
  }
}

void Races::grow_table() {
  table_.assign(table_.size() * 2, {epoch_ - 1, 0});
  uint64_t mask = table_.size() - 1;
  for (uint32_t index = 0; index < objects_.size(); ++index) {
    uint64_t i = mix(objects_[index].name, kMix1);
    while (table_[i & mask].epoch == epoch_) ++i;
    table_[i & mask] = {epoch_, index};
  }
}

void Races::begin(const wire::Result& result) {
  step_count_ = static_cast<uint32_t>(steps_.size());
  threads_ = result.thread_count;
  stride_ = (threads_ + kLane - 1) / kLane * kLane;
  ends_early_ = cuts_off(result);
  is_redundant_ = result.ending == wire::Ending::redundant;
  overlaps_ = result.overlaps != 0;
  if (overlaps_) find_borders();
  find_last_end();
  if (table_.empty() || ++epoch_ == 0) {
    table_.assign(std::max<uint64_t>(table_.size(), kLeastTable), {0, 0});
    epoch_ = 1;
  }
  objects_.clear();
  recent_ = kNone;
  reads_.clear();
  rows_.resize((steps_.size() + pending_.size()) * stride_);
  lasts_.resize(steps_.size() * stride_);
  next_of_.resize(step_count_);
  previous_.resize(step_count_);
  previous_wide_.resize(step_count_);
  first_of_.assign(stride_, kNone);
  last_of_.assign(stride_, kNone);
  pending_of_.assign(stride_, kNone);
  current_.resize(stride_);
  last_wide_ = kNone;
  races_.clear();
  wakings_.clear();
}

// The objects that the event's operation is on.
void Races::find_touched(uint32_t number) {
  const wire::Step& step = event(number);
  touched_.clear();
  if (wire::is_on_descriptor(step.op)) {
    touch(kDescriptors, true);
    if (wire::second_of(step) != 0) touch(wire::second_of(step), true);
  } else {
    for_each_object(step, [&](uint64_t name, bool changes) { touch(name, changes); });
  }
}

void Races::find_borders() {
  borders_.clear();
  auto add = [&](uint64_t object, uint64_t bytes) {
    borders_.push_back(object);
    borders_.push_back(object + bytes);
  };
  for (const auto& events : {steps_, pending_}) {
    for (const wire::Step& step : events) {
      if (wire::op_effect(step.op) == '-') continue;
      add(step.object, wire::bytes_of(step));
      if (wire::second_of(step) != 0) add(wire::second_of(step), wire::second_bytes_of(step));
    }
  }
  std::sort(borders_.begin(), borders_.end());
  auto* end = std::unique(borders_.begin(), borders_.end());
  borders_.resize(static_cast<uint64_t>(end - borders_.begin()));
}

// Back from the last change of the object, until one before which the operation could proceed.
void Races::consider_changes(uint32_t number, const Object& object, bool is_first) {
  for (uint32_t change = object.last_change; change != kNone; change = previous_[change]) {
    if (happens_before(change, number)) return;
    Before before = is_first ? could_proceed_before(steps_[change].op, event(number)) : Before::yes;
    if (before != Before::no) consider(change, before == Before::perhaps);
    if (before == Before::yes) return;
  }
}

// Whether an event depends on everything.
bool Races::is_wide(uint32_t number) const {
  return depends_on_all(event(number)) || (ends_early_ && number + 1 == step_count_);
}

bool Races::has_ended(uint32_t thread) const {
  return last_of_[thread] != kNone && steps_[last_of_[thread]].op == Op::end;
}

void Races::find_last_end() {
  last_end_ = kNone;
  if (steps_.empty() || steps_.back().op != Op::exit) return;
  for (uint32_t i = step_count_ - 1; i-- > 0;) {
    if (steps_[i].thread != steps_.back().thread) continue;
    if (steps_[i].op == Op::end) last_end_ = i;
    return;
  }
}

void Races::consider_all_threads(uint32_t number) {
  const wire::Step& step = event(number);
  for (uint32_t i = 0; i < threads_; ++i) {
    if (i == step.thread || last_of_[i] == kNone) continue;
    consider(last_of_[i], may_wait(step) || is_ranked(number) || is_ranked(last_of_[i]));
  }
}

// Back from the last step that depends on everything, until one before which the event could have
// been. While somebody stands behind another, a thread may not be able to go for that alone.
void Races::consider_wide_steps(uint32_t number) {
  constexpr uint32_t kMost = 64;
  uint32_t left = extent_ == Extent::all ? kNone : kMost;
  for (uint32_t wide = last_wide_; wide != kNone && left > 0; wide = previous_wide_[wide], --left) {
    // Those before it happen before it.
    if (happens_before(wide, number)) return;
    consider(wide, is_ranked(wide) || may_wait(event(number)));
    if (!is_ranked(wide)) return;
  }
}

void Races::find_candidates(uint32_t number) {
  const wire::Step& step = event(number);
  bool is_step = number < step_count_;
  if (is_wide(number)) consider_all_threads(number);
  if (number == last_end_) {
    for (uint32_t i = 0; i < threads_; ++i) {
      if (has_ended(i)) consider(last_of_[i], false);
    }
  }
  // What could not have gone on in the end was not cut off.
  bool concerned = is_step || !ends_early_ || (step.flags & wire::kCanProceed) != 0;
  if (concerned) consider_wide_steps(number);

  for (uint32_t i = 0; i < touched_.size(); ++i) {
    const Object& place = objects_[touched_[i].object];
    if (i == 0 && is_lock(step.op)) {
      // Whatever happened while somebody held the mutex, this could not have happened before it;
      // it could have been before the mutex was taken.
      if (place.last_acquire != kNone) consider(place.last_acquire, false);
      bool other = place.last_change != kNone &&
                   (place.last_acquire == kNone || !is_of_mutex(steps_[place.last_change].op));
      if (other) consider(place.last_change, false);
    } else if (touched_[i].changes && place.first_read != kNone) {
      for (uint32_t r = place.first_read; r != kNone; r = reads_[r].next) {
        consider(reads_[r].step, false);
      }
    } else {
      consider_changes(number, place, i == 0);
    }
  }
}

// Each step once. Of a few candidates the first stays; of many, one that may hide others.
void Races::drop_repeated_candidates() {
  constexpr uint64_t kFew = 32;
  if (candidates_.size() > kFew) {
    std::sort(candidates_.begin(), candidates_.end(), [](const Candidate& a, const Candidate& b) {
      return a.step != b.step ? a.step < b.step : a.conservative < b.conservative;
    });
    auto* end =
        std::unique(candidates_.begin(), candidates_.end(),
                    [](const Candidate& a, const Candidate& b) { return a.step == b.step; });
    candidates_.resize(static_cast<uint64_t>(end - candidates_.begin()));
    return;
  }
  uint32_t kept = 0;
  for (uint32_t i = 0; i < candidates_.size(); ++i) {
    bool is_repeated =
        std::any_of(candidates_.begin(), candidates_.begin() + kept,
                    [&](const Candidate& one) { return one.step == candidates_[i].step; });
    if (!is_repeated) candidates_[kept++] = candidates_[i];
  }
  candidates_.resize(kept);
}

// Of the candidates, those that do not happen before the event's thread, nor before another
// candidate: that one is to be reversed first.
void Races::keep_candidates(uint32_t number) {
  uint32_t kept = 0;
  for (const Candidate& candidate : candidates_) {
    bool happened = event(number).thread == steps_[candidate.step].thread ||
                    happens_before(candidate.step, number);
    if (!happened) candidates_[kept++] = candidate;
  }
  candidates_.resize(kept);
  drop_repeated_candidates();
  // Those that may hide others come first: there are few of them.
  auto* hiders_end = std::partition(candidates_.begin(), candidates_.end(),
                                    [](const Candidate& one) { return !one.conservative; });
  for (const Candidate& candidate : candidates_) {
    auto hides = [&](const Candidate& other) {
      return other.step != candidate.step && happens_before(candidate.step, other.step);
    };
    if (std::any_of(candidates_.begin(), hiders_end, hides)) continue;
    races_.push_back(
        {candidate.step, number, candidate.conservative || is_release(steps_[candidate.step].op)});
  }
  candidates_.clear();
}

// False: all that the event depends on happens before its thread anyway.
bool Races::join_dependent(uint32_t number) {
  uint32_t* mine = row(number);
  bool joined = false;
  if (is_wide(number)) {
    for (uint32_t last : last_of_) {
      if (last != kNone) joined |= join(mine, last);
    }
  } else if (last_wide_ != kNone) {
    joined |= join(mine, last_wide_);
  }
  if (number == last_end_) {
    for (uint32_t i = 0; i < threads_; ++i) {
      if (has_ended(i)) joined |= join(mine, last_of_[i]);
    }
  }
  for (uint32_t i = 0; i < touched_.size(); ++i) {
    const Object& place = objects_[touched_[i].object];
    if (touched_[i].changes && place.first_read != kNone) {
      for (uint32_t r = place.first_read; r != kNone; r = reads_[r].next) {
        joined |= join(mine, reads_[r].step);
      }
    } else if (place.last_change != kNone) {
      joined |= join(mine, place.last_change);
    }
  }
  return joined;
}

// The step has been looked at: the objects remember it.
void Races::perform(uint32_t number) {
  const wire::Step& step = steps_[number];
  previous_[number] = kNone;
  for (uint32_t i = 0; i < touched_.size(); ++i) {
    Object& place = objects_[touched_[i].object];
    if (i == 0 && (step.flags & wire::kTakes) != 0) place.last_acquire = number;
    if (touched_[i].changes) {
      if (i == 0) previous_[number] = place.last_change;
      place.last_change = number;
      place.first_read = kNone;
      continue;
    }
    bool is_later = previous_[number] == kNone || previous_[number] < place.last_change;
    if (place.last_change != kNone && is_later) previous_[number] = place.last_change;
    remember_read(place, number);
  }
  if (!depends_on_all(step)) return;
  previous_wide_[number] = last_wide_;
  last_wide_ = number;
}

inline void Races::remember_read(Object& object, uint32_t number) {
  uint32_t r = object.first_read;
  while (r != kNone && steps_[reads_[r].step].thread != steps_[number].thread) r = reads_[r].next;
  if (r != kNone) {
    reads_[r].step = number;
  } else {
    reads_.push_back({number, object.first_read});
    object.first_read = static_cast<uint32_t>(reads_.size()) - 1;
  }
}

// Most steps are on one object at most, and all that they depend on happens before their thread
// anyway: there is no race, and nothing to join. False: it is none of these, and nothing was done.
__attribute__((always_inline)) inline bool Races::perform_quietly(uint32_t number,
                                                                  const uint32_t* mine) {
  const wire::Step& step = steps_[number];
  if (!kIsPlain.of[static_cast<uint8_t>(step.op)] || step.second != 0 || overlaps_ ||
      (step.flags & kFairness) != 0) {
    return false;
  }
  char effect = wire::effect_kind(step);
  if (effect == '-') {
    previous_[number] = kNone;
    return true;
  }
  Object& place = objects_[object(step.object)];
  uint32_t change = place.last_change;
  if (change != kNone) {
    uint32_t by = steps_[change].thread;
    if (by != step.thread && mine[by] <= change) return false;
  }
  if (effect == 'r') {
    previous_[number] = change;
    remember_read(place, number);
    return true;
  }
  if (place.first_read != kNone) {
    const Read& read = reads_[place.first_read];
    if (read.next != kNone || steps_[read.step].thread != step.thread) return false;
    place.first_read = kNone;
  }
  if ((step.flags & wire::kTakes) != 0) place.last_acquire = number;
  previous_[number] = change;
  place.last_change = number;
  return true;
}

// With rows of `kLanes` lanes, which then stay in registers as long as a thread goes on by itself;
// 0: of any length.
template <uint32_t kLanes>
void Races::look_at_steps(uint32_t from) {
  const uint32_t lanes = kLanes != 0 ? kLanes : stride_ / kLane;
  Lane few_numbers[kLanes + 1] = {}, few_lasts[kLanes + 1] = {};
  Lane* current = kLanes != 0 ? few_numbers : lane(current_.begin(), 0);
  Lane* lasts = kLanes != 0 ? few_lasts : lane(last_of_.begin(), 0);
  for (uint32_t i = 0; i < lanes; ++i) lasts[i] = *lane(last_of_.begin(), i * kLane);
  uint32_t running = kNone;  // thread
  uint32_t last = kNone;     // step of it
  for (uint32_t number = 0; number < step_count_; ++number) {
    const wire::Step& step = steps_[number];
    uint32_t* mine = row(number);
    if (step.thread != running) {
      running = step.thread;
      last = last_of_[running];
      for (uint32_t i = 0; i < lanes; ++i) {
        current[i] = last != kNone ? *lane(row(last), i * kLane) : Lane{};
      }
    }
    for (uint32_t i = 0; i < lanes; ++i) *lane(mine, i * kLane) = current[i];
    bool after_wide = last_wide_ != kNone && !happens_before(last_wide_, number);
    bool special = after_wide || step.after != wire::kNoStep || number == last_end_ ||
                   number + 1 == step_count_;
    if (special || !perform_quietly(number, mine)) {
      bool joined = step.after != wire::kNoStep && join(mine, step.after);
      find_touched(number);
      if (number >= from || may_come_to_write(number)) {
        find_candidates(number);
        if (!candidates_.empty()) keep_candidates(number);
      }
      joined |= join_dependent(number);
      perform(number);
      for (uint32_t i = 0; i < lanes && joined; ++i) current[i] = *lane(mine, i * kLane);
    }
    for (uint32_t i = 0; i < lanes; ++i) {
      *lane(&lasts_[uint64_t{number} * stride_], i * kLane) = lasts[i];
    }
    (last != kNone ? next_of_[last] : first_of_[running]) = number;
    next_of_[number] = kNone;
    last = number;
    uint32_t own = kLanes == 1 ? 0 : running / kLane;
    current[own] = with(current[own], running, number + 1);
    lasts[own] = with(lasts[own], running, number);
    for (uint32_t i = 0; i < lanes; ++i) {
      *lane(mine, i * kLane) = current[i];
      *lane(last_of_.begin(), i * kLane) = lasts[i];
    }
  }
}

void Races::look_at(const wire::Result& result, std::span<const wire::Step> steps,
                    std::span<const wire::Step> pending, uint32_t from) {
  steps_ = steps;
  pending_ = pending;
  begin(result);
  if (stride_ == kLane) {
    look_at_steps<1>(from);
  } else {
    look_at_steps<0>(from);
  }
  drop_known(from);
  look_at_pending();
  find_wakings(from);
}

// A compare-exchange that failed may succeed once a race is reversed, and then depends on steps
// that it did not depend on: those of other bytes, that the race's first step did not change.
bool Races::may_come_to_write(uint32_t step) const {
  return overlaps_ && (steps_[step].flags & wire::kOnlyReads) != 0;
}

// Races with a second event before `from` were looked at in an earlier execution. They are new only
// if a step from there on is to come before the second (see wakeup).
void Races::drop_known(uint32_t from) {
  uint32_t kept = 0;
  for (const Race& race : races_) {
    bool is_new = race.second >= from;
    for (uint32_t i = from; i < step_count_ && !is_new; ++i) is_new = comes_before_second(race, i);
    if (is_new) races_[kept++] = race;
  }
  races_.resize(kept);
}

void Races::look_at_pending() {
  uint32_t last_wide = last_wide_;
  if (ends_early_ && step_count_ > 0) last_wide_ = step_count_ - 1;
  for (uint32_t i = 0; i < pending_.size(); ++i) {
    uint32_t number = step_count_ + i;
    const wire::Step& step = pending_[i];
    pending_of_[step.thread] = number;
    uint32_t last = last_of_[step.thread];
    for (uint32_t k = 0; k < stride_; k += kLane) {
      *lane(row(number), k) = last != kNone ? *lane(row(last), k) : Lane{};
    }
    if (step.after != wire::kNoStep) join(row(number), step.after);
    find_touched(number);
    // What sleeps at the end of a redundant execution is looked at where it is performed. What
    // could not go on is not: elsewhere it may have been performed, but after what sleeps here.
    bool sleeps = is_redundant_ && (step.flags & wire::kCanProceed) != 0;
    if (!sleeps) {
      find_candidates(number);
      keep_candidates(number);
    }
    join_dependent(number);
  }
  last_wide_ = last_wide;
}

// Sleepers that were let go by step `from` or a later one, and could have gone on before. Whatever
// else that depends on happens before the step that let them go: with this race reversed it is
// seen.
void Races::find_wakings(uint32_t from) {
  auto events = static_cast<uint32_t>(step_count_ + pending_.size());
  for (uint32_t number = from; number < events; ++number) {
    const wire::Step& step = event(number);
    if ((step.flags & wire::kCouldWake) == 0 || step.after < from) continue;
    wire::Step waking{};
    waking.thread = step.thread;
    waking.op = Op::cond_sleep;
    waking.after = wire::kNoStep;
    waking.outcomes = 1;
    races_.push_back({step.after, static_cast<uint32_t>(events + wakings_.size()), false});
    wakings_.push_back(waking);
  }
}

}  // namespace heddle::causality
