// What an execution teaches a search with reduction: where it could have gone another way, and
// which of these ways reverse a race.
//
// The search asks for one lesson after the other where it has the steps itself. The worker that ran
// the execution tells all of them at once (tell), and the steps stay where they are: looking for
// races then takes no time of the engine, and there is no need to send them.
#pragma once

#include <cstdint>
#include <span>

#include "causality/races.h"
#include "wire/lessons.h"

namespace heddle::causality {

class Lessons {
 public:
  static constexpr uint32_t kMaxWishes = 16;

  // All steps of an execution, what was pending, and the decisions that it was to follow; as far as
  // those are concerned, only who is put to sleep matters. What could have been otherwise at step
  // `from` or later is of interest, and races of which the second step is.
  void look_at(const wire::Result& result, std::span<const wire::Step> steps,
               std::span<const wire::Step> pending, std::span<const wire::Decision> decisions,
               uint32_t from);

  const Races& races() const { return races_; }
  wire::Fork fork(uint32_t step);

  // A sleeper will do what the race is to be reversed for.
  bool is_covered_by_sleeper(const Race& race) const;
  // Without the initials. The wishes hold until the next call.
  wire::Reversal reversal(const Race& race);
  std::span<const wire::Wish> wishes() const { return {wishes_.begin(), wishes_.size()}; }

  // All of it, in the form of wire/lessons.h. False: it would be too long.
  bool tell(Array<char>* out);

 private:
  void follow_sleepers(std::span<const wire::Decision> decisions);
  void find_wishes(const Race& race, std::span<const uint32_t> sequence);
  void add_initials(const Race& race, wire::Reversal* reversal) const;

  Races races_;
  std::span<const wire::Step> steps_;
  uint32_t from_ = 0;
  uint32_t sleep_begin_ = 0;     // the first step before which a thread sleeps
  Array<uint64_t> asleep_;       // by step, from there on, as long as any sleeps
  Array<uint32_t> preemptions_;  // before each step, as far as anybody has asked
  Array<wire::Wish> wishes_;
  Array<wire::Wish> all_wishes_;
};

}  // namespace heddle::causality
