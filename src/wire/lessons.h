// What an execution teaches a search with reduction, in the place of its steps: the worker has
// looked for races itself (causality/lessons.h), and sends what is to be done about them.
//
// Behind the Result follow: Lessons, `choice_count` Choices by rising step, `reversal_count`
// Reversals in the order in which they are to be looked at, and the Wishes of all of them.
#pragma once

#include <cstdint>

#include "wire/layout.h"

namespace heddle::wire {

// A worker looks itself only where there are no more threads than this: what it sends of each
// reversal is about all of them.
inline constexpr uint32_t kMaxLessonThreads = 16;

struct Lessons {
  uint32_t choice_count;
  uint32_t reversal_count;
  uint32_t wish_count;
  uint16_t last_thread;  // that made the last step
  Op last_op;
  uint8_t unused;
};
static_assert(sizeof(Lessons) % 8 == 0);

// A step at which the execution could have gone another way.
struct Fork {
  uint32_t step;
  uint32_t check;          // wire::Step::check
  uint32_t preemptions;    // before it
  uint16_t thread;         // that made it
  uint16_t thread_before;  // that made the one before
  uint8_t may_go_on;       // 1: that one could have gone on
  uint8_t unused[3];
  uint32_t unused_too;
};
static_assert(sizeof(Fork) % 8 == 0);

// The operation had several outcomes.
struct Choice {
  Fork fork;
  uint16_t outcome;
  uint16_t outcomes;
  uint32_t unused;
};
static_assert(sizeof(Choice) % 8 == 0);

// A race: at its first step a thread is to be scheduled that leads to the race being reversed.
struct Reversal {
  Fork fork;
  uint64_t initials;       // threads, a bit for each: see causality::Races::is_initial
  uint64_t weak_initials;  // and is_weak_initial
  uint16_t thread;         // the one to be scheduled, unless another will do
  uint8_t outcome;         // of what it then did
  uint8_t conservative;    // see causality::Race
  uint16_t wish_count;     // where to go from there
  uint16_t unused;
};
static_assert(sizeof(Reversal) % 8 == 0);

struct Wish {
  uint32_t step;
  uint16_t thread;
  uint16_t outcome;
};
static_assert(sizeof(Wish) % 8 == 0);

}  // namespace heddle::wire
