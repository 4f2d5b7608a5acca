// What is known of an execution, and its picks and inversions; children.cc has the rest.
#include "causality/lineage.h"

#include "causality/blocking.h"
#include "wire/dependence.h"

namespace heddle::causality {

using wire::Op;

namespace {

constexpr uint16_t kStrange =
    kFairness | wire::kCounted | wire::kPassesTime | wire::kNeedNotWait | wire::kCouldWake;

bool is_on_mutex(Op op) { return op == Op::lock || op == Op::unlock; }

}  // namespace

void Lineage::clear(Cut cut) const {
  for (uint32_t i = 0; i < thread_count_; ++i) cut[i] = 0;
}

void Lineage::copy(const uint32_t* from, Cut to) const {
  for (uint32_t i = 0; i < thread_count_; ++i) to[i] = from[i];
}

// With all that happens before it.
void Lineage::join(uint32_t step, Cut into) const {
  const uint32_t* known = races_->known_at(step);
  for (uint32_t i = 0; i < thread_count_; ++i) into[i] = into[i] > known[i] ? into[i] : known[i];
}

wire::Lineage Lineage::look_at(const Races& races, const wire::Result& result, uint32_t begin,
                               std::span<const wire::Decision> decisions) {
  races_ = &races;
  steps_ = races.step_count();
  events_ = steps_ + result.pending_count;
  thread_count_ = races.thread_count();
  overlaps_ = result.overlaps != 0;
  children_.clear();
  schedules_.clear();
  cuts_.resize(uint64_t{kChosen + kMostFurther + 1} * thread_count_);
  if (!is_known(result) || !follows(begin, decisions)) return wire::Lineage::foreign;
  wire::Lineage verdict = find_picks(begin, decisions.empty() ? 0 : decisions.back().step + 1);
  if (verdict != wire::Lineage::told) return verdict;
  tried_ = 0;
  clear(cut(kBefore));
  uint32_t added = 0;
  for (const Pick& pick : picks_) {
    for (; added < pick.begin; ++added) cut(kBefore)[thread_of(added)] = added + 1;
    if (!find_children(pick)) return wire::Lineage::foreign;
  }
  return wire::Lineage::told;
}

// Whether all that is in the execution is known here: by a list of what is, not of what is not.
bool Lineage::is_known(const wire::Result& result) {
  bool ends = result.ending == wire::Ending::finished ||
              (result.ending == wire::Ending::failed && result.failure == wire::Failure::deadlock);
  if (!ends || steps_ == 0 || steps_ > kMostSteps || thread_count_ > kMostThreads) return false;
  uint32_t creator = kNone;
  for (uint32_t i = 0; i < steps_; ++i) {
    if (!is_known_step(i)) return false;
    if (event(i).op != Op::create) continue;
    // Threads are numbered as they are created.
    if (creator != kNone && creator != thread_of(i)) return false;
    creator = thread_of(i);
  }
  for (uint32_t i = steps_; i < events_; ++i) {
    if (!is_known_pending(i)) return false;
  }
  return result.ending == wire::Ending::failed || is_last_exit();
}

bool Lineage::is_known_step(uint32_t number) const {
  const wire::Step& step = event(number);
  if ((step.flags & kStrange) != 0 || step.outcomes > 1) return false;
  if (step.after != wire::kNoStep && step.op != Op::begin) return false;
  if (wire::second_of(step) != 0) return false;
  uint32_t change = races_->previous_change(number);
  bool mutex_before = change != kNone && is_on_mutex(event(change).op);
  bool taken = mutex_before && event(change).op == Op::lock;
  switch (step.op) {
    case Op::begin:
      return step.thread == 0 ? step.after == wire::kNoStep
                              : step.after != wire::kNoStep && event(step.after).op == Op::create;
    case Op::fence:
      return true;
    case Op::create:
      return change == kNone;
    case Op::end:
      return step.thread != 0 && change != kNone && event(change).op == Op::create;
    case Op::join:
      return change != kNone && event(change).op == Op::end;
    case Op::exit:
      return number + 1 == steps_ && step.thread == 0;
    case Op::lock:
      return (step.flags & wire::kTakes) != 0 && !overlaps_ && !taken &&
             (change == kNone || mutex_before);
    case Op::unlock:
      return taken && thread_of(change) == step.thread;
    case Op::atomic_load:
    case Op::atomic_store:
    case Op::atomic_rmw:
    case Op::atomic_cas:
    case Op::read:
    case Op::write:
    case Op::volatile_read:
    case Op::volatile_write:
      return !mutex_before;
    default:
      return false;
  }
}

// What waits at the end of a deadlock.
bool Lineage::is_known_pending(uint32_t number) const {
  const wire::Step& step = event(number);
  if ((step.flags & (kStrange | wire::kCanProceed)) != 0 || step.after != wire::kNoStep) {
    return false;
  }
  if (step.op == Op::join) return true;
  if (step.op != Op::lock || overlaps_) return false;
  uint32_t last = last_on(step.object);
  return last != kNone && event(last).op == Op::lock;
}

// The exit is the end of an execution in which all else has ended before it, in any order.
bool Lineage::is_last_exit() const {
  uint32_t last = steps_ - 1;
  if (event(last).op != Op::exit || events_ != steps_) return false;
  uint32_t before = races_->previous_of_thread(last);
  for (uint32_t i = 1; i < thread_count_; ++i) {
    if (before == kNone) return false;
    uint32_t known = races_->known_at(before)[i];
    if (known == 0 || event(known - 1).op != Op::end) return false;
  }
  return true;
}

uint32_t Lineage::last_on(uint64_t object) const {
  for (uint32_t i = steps_; i-- > 0;) {
    if (event(i).object == object && wire::op_effect(event(i).op) != '-') return i;
  }
  return kNone;
}

// Whether the mutex of a lock is held after a part of the execution. What is done to a mutex is in
// one order, of which each part has the beginning.
bool Lineage::is_held(uint32_t lock, const uint32_t* cut) const {
  uint32_t last = lock < steps_ ? races_->previous_change(lock) : last_on(event(lock).object);
  while (last != kNone && !is_in(last, cut)) last = races_->previous_change(last);
  return last != kNone && event(last).op == Op::lock;
}

bool Lineage::can_go(uint32_t thread, const uint32_t* cut) const {
  uint32_t number = races_->next_event(thread, cut[thread]);
  if (number == wire::kNoStep) return false;
  const wire::Step& step = event(number);
  if (step.after != wire::kNoStep && !is_in(step.after, cut)) return false;
  if (step.op == Op::lock) return !is_held(number, cut);
  if (step.op != Op::join) return true;
  return number < steps_ && is_in(races_->previous_change(number), cut);
}

// What the default does after a part of the execution of which a thread has made the last step.
uint32_t Lineage::next(const uint32_t* cut, uint32_t last) const {
  if (last != kNone && can_go(last, cut)) return last;
  for (uint32_t i = 0; i < thread_count_; ++i) {
    if (can_go(i, cut)) return i;
  }
  return kNone;
}

// Whether the steps are those of the schedule.
bool Lineage::follows(uint32_t begin, std::span<const wire::Decision> decisions) const {
  if (decisions.empty()) return true;
  if (decisions.back().step >= steps_) return false;
  uint32_t next = begin;
  for (const wire::Decision& decision : decisions) {
    if (decision.step < begin) continue;
    for (; next < decision.step; ++next) {
      if (next == begin || thread_of(next) != thread_of(next - 1)) return false;
    }
    if (!decision.names_thread() || thread_of(next++) != decision.thread()) return false;
  }
  return next == decisions.back().step + 1;
}

// From the first step on: who is next by default, and what has come before that.
wire::Lineage Lineage::find_picks(uint32_t begin, uint32_t end) {
  picks_.clear();
  last_inversion_ = 0;
  Cut walked = cut(kWalked);
  clear(walked);
  uint32_t last = kNone;
  for (uint32_t i = 0; i < steps_;) {
    uint32_t thread = next(walked, last);
    if (thread == kNone) return wire::Lineage::foreign;
    if (thread_of(i) == thread) {
      if (i == begin && begin < end) return wire::Lineage::redundant;
      picks_.push_back({i, i});
      walked[thread] = i + 1;
      last = thread;
      ++i;
      continue;
    }
    if (i >= end) return wire::Lineage::foreign;
    uint32_t wanted = races_->next_event(thread, walked[thread]);
    uint32_t behind = end_of_inversion(i, wanted);
    bool is_put_off = event(wanted).op == Op::lock;
    if (i >= begin) {
      if (i != begin || behind != end) return wire::Lineage::redundant;
      if (!is_put_off && !stands_for_inversion(i, wanted)) return wire::Lineage::redundant;
    }
    if (behind == kNone) return wire::Lineage::foreign;
    if (!is_put_off) picks_.push_back({i, wanted});
    for (; i < behind; ++i) walked[thread_of(i)] = i + 1;
    last = thread_of(behind - 1);
    last_inversion_ = behind;
  }
  return next(walked, last) == kNone ? wire::Lineage::told : wire::Lineage::foreign;
}

// The step behind an inversion before the step that is wanted by default, and behind that unless it
// is put off. kNoStep: some of what comes before it need not.
uint32_t Lineage::end_of_inversion(uint32_t begin, uint32_t wanted) const {
  uint32_t last = wanted;
  if (event(wanted).op == Op::lock) {
    auto is_on_it = [&](uint32_t step) {
      return is_on_mutex(event(step).op) && event(step).object == event(wanted).object;
    };
    last = begin;
    while (last < steps_ && !is_on_it(last)) ++last;
    if (last == wanted) return kNone;
  }
  if (last >= steps_) return kNone;
  const uint32_t* known = races_->known_at(last);
  for (uint32_t i = begin; i < last; ++i) {
    if (known[thread_of(i)] <= i) return kNone;
  }
  return last + 1;
}

// Of the last steps of an inversion, after which none of the others comes, that of the thread with
// the highest number is what the parent has elsewhere: it is to be the last one.
bool Lineage::stands_for_inversion(uint32_t begin, uint32_t pick) const {
  uint32_t highest = thread_of(pick - 1);
  for (uint32_t i = begin; i + 1 < pick; ++i) {
    if (thread_of(i) <= highest) continue;
    bool is_last = true;
    for (uint32_t k = i + 1; k < pick; ++k) is_last &= races_->known_at(k)[thread_of(i)] <= i;
    if (is_last) return false;
  }
  return true;
}

}  // namespace heddle::causality
