#include "runtime/decide/choice_point.h"

#include "runtime/ending/ending.h"
#include "runtime/memory/memory.h"

namespace heddle::runtime {

using wire::Op;

namespace {

// The place of a late thread among the others: by deadline; of equal ones first who comes next
// after the running thread, by rank and going round, and the running one last.
struct Place {
  int64_t deadline;
  uint32_t behind;
};

Place place_of(const Thread* thread, uint32_t origin, uint32_t count) {
  uint32_t behind = thread->rank + count - origin - 1;  // below 2 * count
  return {thread->pending.deadline, behind < count ? behind : behind - count};
}

bool goes_before(Place a, Place b) {
  return a.deadline != b.deadline ? a.deadline < b.deadline : a.behind < b.behind;
}

// For each byte, how many bits are set in it and in those below.
uint64_t bits_up_to_bytes(uint64_t word) {
  constexpr uint64_t kEach = 0x0101010101010101;
  word -= word >> 1 & kEach * 0x55;
  word = (word & kEach * 0x33) + (word >> 2 & kEach * 0x33);
  return ((word + (word >> 4)) & kEach * 0x0f) * kEach;
}

uint32_t count_bits(uint64_t word) { return static_cast<uint32_t>(bits_up_to_bytes(word) >> 56); }

// The place of the n-th bit that is set, from 0; there are more than n.
uint32_t place_of_bit(uint64_t word, uint32_t n) {
  uint64_t sums = bits_up_to_bytes(word);
  uint32_t byte = 0;
  while ((sums >> byte & 0xff) <= n) byte += 8;
  uint32_t below = byte == 0 ? 0 : sums >> (byte - 8) & 0xff;
  uint64_t rest = word >> byte;
  for (; below < n; ++below) rest &= rest - 1;
  return byte + static_cast<uint32_t>(__builtin_ctzll(rest));
}

}  // namespace

uint32_t outcomes(const Thread* thread) {
  const Pending& pending = thread->pending;
  if (pending.op == Op::choose) return pending.choices;
  // An open sleeper wakes for no reason, or does not; one that is ready has been cancelled.
  if (is_sleeping(thread)) return thread->state == State::ready ? 1 : 2;
  if (pending.op == Op::atomic_load) return visible_stores(pending, pending.order);
  if (pending.op == Op::atomic_cas) return finds_expected(pending) ? 2 : 1;
  // A signal or wake: whichever of the waiters. With none it still is one operation.
  uint32_t waiters = 0;
  for (uint32_t i = 0; i < g_run.living_count; ++i) {
    const Thread* other = g_run.living[i];
    waiters += other->pending.object == pending.object && is_sleeping(other);
  }
  return waiters == 0 ? 1 : waiters;
}

uint32_t count_further_outcomes() {
  const Run& run = g_run;
  uint32_t further = 0;
  for (uint32_t i = 0; i < run.living_count; ++i) {
    const Thread* thread = run.living[i];
    if (thread->pending.open && !is_kept_asleep(thread)) further += outcomes(thread) - 1;
  }
  return further;
}

Thread* next_late(const Thread* last) {
  const Run& run = g_run;
  uint32_t count = run.living_count;
  uint32_t origin = run.current->state == State::ended ? count - 1 : run.current->rank;
  Place after{};
  if (last != nullptr) after = place_of(last, origin, count);
  Thread* best = nullptr;
  Place first{};
  for (uint32_t i = 0; i < count; ++i) {
    Thread* thread = run.living[i];
    if (thread->state != State::late || is_held_back(thread)) continue;
    Place place = place_of(thread, origin, count);
    if (last != nullptr && !goes_before(after, place)) continue;
    if (best != nullptr && !goes_before(place, first)) continue;
    best = thread;
    first = place;
  }
  return best;
}

Thread* next_open_sleeper(uint32_t from) {
  for (uint32_t i = from; i < g_run.living_count; ++i) {
    Thread* thread = g_run.living[i];
    if (!thread->pending.open || !is_sleeping(thread) || thread->state == State::ready) continue;
    if (!is_kept_asleep(thread)) return thread;
  }
  return nullptr;
}

ChoicePoint::ChoicePoint() {
  const Run& run = g_run;
  front_ = front_thread();
  count_ = run.ready_count + run.late_count - run.held_back;
  if (run.open_count != 0) count_ += count_further_outcomes();
  // Nobody can rely on an event that comes for no reason: where it is all that is left, it is a
  // deadlock.
  if (run.ready_count + run.late_count == run.held_back) count_ = 0;
  goes_on_ = front_->state == State::ready && !is_held_back(front_) && !run.gives_way;
  // Whom fairness sends to the back is not preempted (fair, section 4), nor is who hands over to a
  // script.
  free_ = goes_on_ && !front_->runs_script ? number_of_outcomes(front_) : count_;
}

// Flat: with threads that yield, most of the time of a step goes into finding the k-th late one.
__attribute__((flatten)) Option ChoicePoint::at(uint32_t number) const {
  if (goes_on_ && number < number_of_outcomes(front_)) {
    return {front_, number, number < free_, false, false};
  }
  if (is_plain()) {
    uint32_t left = number - (goes_on_ ? 1 : 0);
    for (uint32_t word = 0; word * 64 < g_run.living_count; ++word) {
      uint64_t bits = ready_others(word);
      uint32_t here = count_bits(bits);
      if (left < here) {
        Thread* thread = g_run.living[word * 64 + place_of_bit(bits, left)];
        return {thread, 0, number < free_, false, false};
      }
      left -= here;
    }
  }
  Option found{};
  uint32_t before = 0;
  walk([&](const Turn& turn) {
    if (number - before >= turn.outcomes) {
      before += turn.outcomes;
      return false;
    }
    found = option(turn, number - before, number);
    return true;
  });
  return found;
}

uint32_t ChoicePoint::find(uint32_t thread, uint32_t outcome) const {
  uint32_t found = kNone;
  uint32_t before = 0;
  bool exists = thread < g_run.thread_count;
  if (is_plain() && exists && g_threads[thread].state == State::ready && outcome == 0) {
    const Thread* wanted = &g_threads[thread];
    if (wanted == front_ && goes_on_) return 0;
    if (wanted != front_) {
      uint32_t last = wanted->rank / 64;
      for (uint32_t word = 0; word < last; ++word) before += count_bits(ready_others(word));
      uint64_t below = (uint64_t{1} << (wanted->rank % 64)) - 1;
      return before + count_bits(ready_others(last) & below) + (goes_on_ ? 1 : 0);
    }
  }
  walk([&](const Turn& turn) {
    if (turn.thread->index == thread && outcome - turn.first < turn.outcomes) {
      found = before + (outcome - turn.first);
      return true;
    }
    before += turn.outcomes;
    return false;
  });
  return found;
}

uint32_t ChoicePoint::option_of(const Thread* thread, uint32_t n) const {
  uint32_t found = kNone;
  uint32_t before = 0;
  walk([&](const Turn& turn) {
    bool is_own = turn.thread == thread;
    if (is_own && n < turn.outcomes) {
      found = before + n;
      return true;
    }
    if (is_own) n -= turn.outcomes;
    before += turn.outcomes;
    return false;
  });
  return found;
}

uint32_t ChoicePoint::first_not_passed_over() const {
  uint32_t found = kNone;
  uint32_t before = 0;
  walk([&](const Turn& turn) {
    if (!is_passed_over(turn.thread)) {
      found = before;
      return true;
    }
    before += turn.outcomes;
    return false;
  });
  if (found == kNone) end_run(wire::Ending::redundant);
  return found;
}

}  // namespace heddle::runtime
