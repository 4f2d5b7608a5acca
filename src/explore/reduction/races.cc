#include "explore/reduction/races.h"

#include <algorithm>
#include <cstring>

#include "base/hash.h"
#include "wire/dependence.h"

namespace heddle::explore {

using wire::Op;

namespace {

// Objects of their own: what all operations on descriptors touch, and the time.
constexpr uint64_t kDescriptors = 0xde5c000000000001;
constexpr uint64_t kClock = 0xc10c000000000001;
constexpr size_t kMaxObjects = 1 << 16;  // to be kept from one execution to the next

// Waits until a mutex is free. A time limit makes an operation that can always proceed.
bool is_lock(Op op) { return op == Op::lock || op == Op::cond_relock; }

// Whether an operation of the second kind may have been able to proceed before one of the first
// kind on the same object, right after which it could.
enum class Before : uint8_t { yes, perhaps, no };
Before could_proceed_before(Op first, const wire::Step& step) {
  if ((step.flags & wire::kNeedNotWait) != 0) return Before::yes;
  Op second = step.op;
  if (wire::is_on_descriptor(second)) return Before::perhaps;
  switch (second) {
    case Op::sem_wait:
      return first == Op::sem_post ? Before::perhaps : Before::yes;
    case Op::rdlock:
      return first == Op::rwunlock ? Before::perhaps : Before::yes;
    case Op::wrlock:
      return first == Op::rwunlock || first == Op::rdlock ? Before::perhaps : Before::yes;
    case Op::barrier_pass:
      return first == Op::barrier_arrive ? Before::perhaps : Before::yes;
    case Op::join:
      return first == Op::end ? Before::no : Before::yes;
    case Op::once:
      return first == Op::once_done ? Before::no : Before::yes;
    case Op::guard:
      return first == Op::guard_done ? Before::no : Before::yes;
    default:
      return Before::yes;
  }
}

bool may_wait(const wire::Step& step) {
  if ((step.flags & wire::kNeedNotWait) != 0) return false;
  switch (step.op) {
    case Op::sem_wait:
    case Op::rdlock:
    case Op::wrlock:
    case Op::barrier_pass:
    case Op::join:
    case Op::once:
    case Op::guard:
      return true;
    default:
      return is_lock(step.op) || wire::is_on_descriptor(step.op);
  }
}

bool is_release(Op op) {
  switch (op) {
    case Op::unlock:
    case Op::rwunlock:
    case Op::sem_post:
    case Op::once_done:
    case Op::guard_done:
    case Op::end:
      return true;
    default:
      return false;
  }
}

bool depends_on_all(const wire::Step& step) {
  constexpr uint16_t kFairness = wire::kYields | wire::kSpins | wire::kRanked;
  return wire::depends_on_all(step.op) || (step.flags & kFairness) != 0;
}

// Whether the execution's last step cut off what others could have done.
bool cuts_off(const wire::Result& result) {
  if (result.ending == wire::Ending::redundant) return false;
  return result.ending != wire::Ending::failed || result.failure != wire::Failure::deadlock;
}

}  // namespace

void Races::join(uint32_t* into, uint32_t step) const {
  const uint32_t* other = row(step);
  for (uint32_t i = 0; i < stride_; ++i) into[i] = std::max(into[i], other[i]);
}

uint32_t Races::object(uint64_t name) {
  uint64_t mask = table_.size() - 1;
  for (uint64_t i = mix(name, kMix1);; ++i) {
    uint32_t index = table_[i & mask];
    if (index == kNone) {
      index = static_cast<uint32_t>(objects_.size());
      objects_.push_back({name, kNone, kNone, kNone});
      table_[i & mask] = index;
      if (objects_.size() * 2 > table_.size()) grow_table();
      return index;
    }
    if (objects_[index].name == name) return index;
  }
}

void Races::grow_table() {
  table_.assign(table_.size() * 2, kNone);
  uint64_t mask = table_.size() - 1;
  for (uint32_t index = 0; index < objects_.size(); ++index) {
    uint64_t i = mix(objects_[index].name, kMix1);
    while (table_[i & mask] != kNone) ++i;
    table_[i & mask] = index;
  }
}

void Races::start_anew() {
  stride_ = std::max(threads_, stride_);
  std::fill(table_.begin(), table_.end(), kNone);
  objects_.clear();
  reads_.clear();
  marks_.clear();
  old_objects_.clear();
  old_reads_.clear();
  steps_of_.resize(stride_);
  for (std::vector<uint32_t>& steps : steps_of_) steps.clear();
  last_of_.assign(stride_, kNone);
  last_wide_ = kNone;
}

// How many steps the execution has in common with the one that was looked at before it, as far as
// what is known of these is the same.
uint32_t Races::in_common(const trace::Execution& execution, uint32_t from) const {
  uint32_t limit = std::min({from, known_end_, step_count_ - std::min(step_count_, 1u), last_end_});
  uint32_t step = 0;
  while (step < limit &&
         std::memcmp(&known_[step], &execution.steps[step], sizeof(wire::Step)) == 0) {
    ++step;
  }
  return step;
}

// Forgets the steps from this one on.
void Races::go_back_to(uint32_t step) {
  if (step >= marks_.size()) return;
  const Mark mark = marks_[step];
  while (old_objects_.size() > mark.objects) {
    objects_[old_objects_.back().index] = old_objects_.back().object;
    old_objects_.pop_back();
  }
  while (old_reads_.size() > mark.old_reads) {
    reads_[old_reads_.back().index].step = old_reads_.back().step;
    old_reads_.pop_back();
  }
  reads_.resize(mark.reads);
  last_wide_ = mark.last_wide;
  marks_.resize(step);
  for (uint32_t i = 0; i < steps_of_.size(); ++i) {
    std::vector<uint32_t>& steps = steps_of_[i];
    while (!steps.empty() && steps.back() >= step) steps.pop_back();
    last_of_[i] = steps.empty() ? kNone : steps.back();
  }
}

// Returns the first step that is to be looked at.
uint32_t Races::begin(const trace::Execution& execution, uint32_t from) {
  steps_ = execution.steps;
  // What sleeps at the end of a redundant execution is looked at where it is performed.
  bool redundant = execution.result.ending == wire::Ending::redundant;
  pending_ = redundant ? std::span<const wire::Step>() : execution.pending;
  step_count_ = static_cast<uint32_t>(steps_.size());
  threads_ = execution.result.thread_count;
  ends_early_ = cuts_off(execution.result);
  find_last_end();
  uint32_t first = in_common(execution, from);
  if (threads_ > stride_ || objects_.size() > kMaxObjects || first == 0) {
    start_anew();
    first = 0;
  } else {
    go_back_to(first);
  }
  if (known_.size() < steps_.size()) known_.resize(steps_.size());
  std::copy(steps_.begin() + first, steps_.end(), known_.begin() + first);
  known_end_ = std::min(step_count_ - std::min(step_count_, 1u), last_end_);
  rows_.resize((steps_.size() + pending_.size()) * stride_);
  previous_.resize(steps_.size());
  previous_wide_.resize(steps_.size());
  marks_.resize(steps_.size());
  pending_of_.assign(stride_, kNone);
  races_.clear();
  wakings_.clear();
  return first;
}

// The part of the event's row that does not come from its own operation.
void Races::prepare_row(uint32_t number) {
  uint32_t* mine = row(number);
  const wire::Step& step = event(number);
  uint32_t last = last_of_[step.thread];
  if (last == kNone) {
    std::fill_n(mine, stride_, 0);
  } else {
    std::copy_n(row(last), stride_, mine);
  }
  if (step.after != wire::kNoStep) join(mine, step.after);
}

// The objects that the event's operation is on.
void Races::find_touched(uint32_t number) {
  const wire::Step& step = event(number);
  touched_count_ = 0;
  char effect = wire::op_effect(step.op);
  if (wire::is_on_descriptor(step.op)) {
    touch(kDescriptors, true);
  } else if (effect != '-') {
    touch(step.object, effect == 'w');
    if (step.second != 0) touch(step.second, true);
  }
  if ((step.flags & (wire::kReadsClock | wire::kPassesTime)) != 0) {
    touch(kClock, (step.flags & wire::kPassesTime) != 0);
  }
}

void Races::consider(uint32_t step, bool conservative) {
  candidates_.push_back({step, conservative});
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
  for (uint32_t wide = last_wide_; wide != kNone; wide = previous_wide_[wide]) {
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

  for (uint32_t i = 0; i < touched_count_; ++i) {
    const Object& place = objects_[touched_[i].object];
    if (i == 0 && is_lock(step.op)) {
      // Whatever happened while somebody held the mutex, this could not have happened before it;
      // it could have been before the mutex was taken.
      if (place.last_acquire != kNone) consider(place.last_acquire, false);
      bool other = place.last_change != kNone &&
                   (place.last_acquire == kNone || steps_[place.last_change].op == Op::destroy);
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

// Of the candidates, those that do not happen before the event's thread, nor before another
// candidate: that one is to be reversed first.
void Races::keep_candidates(uint32_t number) {
  auto happened = [&](const Candidate& candidate) {
    return event(number).thread == steps_[candidate.step].thread ||
           happens_before(candidate.step, number);
  };
  std::erase_if(candidates_, happened);
  for (const Candidate& candidate : candidates_) {
    auto hides = [&](const Candidate& other) {
      return other.step != candidate.step && !other.conservative &&
             happens_before(candidate.step, other.step);
    };
    auto is_same = [&](const Race& race) {
      return race.second == number && race.first == candidate.step;
    };
    if (std::any_of(candidates_.begin(), candidates_.end(), hides)) continue;
    if (std::any_of(races_.begin(), races_.end(), is_same)) continue;
    races_.push_back(
        {candidate.step, number, candidate.conservative || is_release(steps_[candidate.step].op)});
  }
  candidates_.clear();
}

void Races::join_dependent(uint32_t number) {
  uint32_t* mine = row(number);
  if (is_wide(number)) {
    for (uint32_t last : last_of_) {
      if (last != kNone) join(mine, last);
    }
  } else if (last_wide_ != kNone) {
    join(mine, last_wide_);
  }
  if (number == last_end_) {
    for (uint32_t i = 0; i < threads_; ++i) {
      if (has_ended(i)) join(mine, last_of_[i]);
    }
  }
  for (uint32_t i = 0; i < touched_count_; ++i) {
    const Object& place = objects_[touched_[i].object];
    if (touched_[i].changes && place.first_read != kNone) {
      for (uint32_t r = place.first_read; r != kNone; r = reads_[r].next) {
        join(mine, reads_[r].step);
      }
    } else if (place.last_change != kNone) {
      join(mine, place.last_change);
    }
  }
}

// The step has been looked at: the objects remember it.
void Races::perform(uint32_t number) {
  const wire::Step& step = steps_[number];
  row(number)[step.thread] = number + 1;
  previous_[number] = kNone;
  marks_[number] = {static_cast<uint32_t>(old_objects_.size()),
                    static_cast<uint32_t>(old_reads_.size()), static_cast<uint32_t>(reads_.size()),
                    last_wide_};
  for (uint32_t i = 0; i < touched_count_; ++i) {
    Object& place = objects_[touched_[i].object];
    old_objects_.push_back({touched_[i].object, place});
    if (i == 0 && (step.flags & wire::kTakes) != 0) place.last_acquire = number;
    if (touched_[i].changes) {
      if (i == 0) previous_[number] = place.last_change;
      place.last_change = number;
      place.first_read = kNone;
      continue;
    }
    uint32_t r = place.first_read;
    while (r != kNone && steps_[reads_[r].step].thread != step.thread) r = reads_[r].next;
    if (r != kNone) {
      old_reads_.push_back({r, reads_[r].step});
      reads_[r].step = number;
    } else {
      reads_.push_back({number, place.first_read});
      place.first_read = static_cast<uint32_t>(reads_.size()) - 1;
    }
  }
  last_of_[step.thread] = number;
  steps_of_[step.thread].push_back(number);
  if (!depends_on_all(step)) return;
  previous_wide_[number] = last_wide_;
  last_wide_ = number;
}

void Races::look_at(const trace::Execution& execution, uint32_t from) {
  for (uint32_t i = begin(execution, from); i < step_count_; ++i) {
    prepare_row(i);
    find_touched(i);
    if (i >= from) {
      find_candidates(i);
      keep_candidates(i);
    }
    join_dependent(i);
    perform(i);
  }
  uint32_t last_wide = last_wide_;
  if (ends_early_ && step_count_ > 0) last_wide_ = step_count_ - 1;
  for (uint32_t i = 0; i < pending_.size(); ++i) {
    uint32_t number = step_count_ + i;
    pending_of_[pending_[i].thread] = number;
    prepare_row(number);
    find_touched(number);
    find_candidates(number);
    keep_candidates(number);
    join_dependent(number);
  }
  last_wide_ = last_wide;
  find_wakings(from);
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

uint32_t Races::next_event(uint32_t thread, uint32_t from) const {
  const std::vector<uint32_t>& steps = steps_of_[thread];
  auto next = std::lower_bound(steps.begin(), steps.end(), from);
  return next != steps.end() ? *next : pending_of_[thread];
}

std::span<const uint32_t> Races::wakeup(const Race& race) {
  wakeup_.clear();
  if (is_waking(race.second)) {
    wakeup_.push_back(race.second);
    return wakeup_;
  }
  uint32_t end = std::min(race.second, step_count_);
  for (uint32_t i = race.first + 1; i < end; ++i) {
    if (happens_before(i, race.second) && is_without(race, i)) wakeup_.push_back(i);
  }
  wakeup_.push_back(race.second);
  return wakeup_;
}

bool Races::is_initial(const Race& race, uint32_t thread) const {
  if (is_waking(race.second)) return thread == event(race.second).thread;
  if (thread == steps_[race.first].thread) return false;
  uint32_t next = next_event(thread, race.first + 1);
  if (next != race.second && (next >= step_count_ || !is_without(race, next))) return false;
  for (uint32_t other = 0; other < threads_; ++other) {
    uint32_t earlier = next_event(other, race.first + 1);
    if (other != thread && earlier < std::min(next, step_count_) && is_without(race, earlier) &&
        happens_before(earlier, next)) {
      return false;
    }
  }
  return true;
}

bool Races::is_early_initial(const Race& race, uint32_t thread) const {
  uint32_t next = next_event(thread, race.first + 1);
  bool is_early = next < std::min(race.second, step_count_) || thread == event(race.second).thread;
  return is_early && is_initial(race, thread);
}

// Whether what the thread does next is no part of what could have been performed, and independent
// of it.
bool Races::is_independent(const Race& race, uint32_t thread) const {
  if (thread == steps_[race.first].thread || is_waking(race.second)) return false;
  uint32_t next = next_event(thread, race.first + 1);
  // One that may have to wait may not have been able to go there at all.
  if (next == kNone || next == race.second || may_wait(event(next))) return false;
  if (next < step_count_ && is_without(race, next)) return false;
  const wire::Step& step = event(next);
  constexpr uint16_t kTime = wire::kReadsClock | wire::kPassesTime;
  bool was_let_go = step.after != wire::kNoStep && step.after > race.first;
  if (was_let_go || is_wide(race.second) || (step.flags & kTime) != 0) return false;
  wire::Effect effect{step.op, step.object, step.second};
  auto depends_on = [&](uint32_t number) {
    const wire::Step& other = event(number);
    return (other.flags & kTime) != 0 || depend(effect, {other.op, other.object, other.second});
  };
  if (depends_on(race.second)) return false;
  for (uint32_t i = race.first + 1; i < step_count_; ++i) {
    if (is_without(race, i) && depends_on(i)) return false;
  }
  return true;
}

}  // namespace heddle::explore
