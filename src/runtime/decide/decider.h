// A decider chooses who goes next, where the schedule is silent (follow.h). There is one for each
// execution, and one file for each kind; deciders.cc has the table of them.
//
// No virtual functions: an abstract class needs libstdc++.
#pragma once

#include "runtime/decide/choice_point.h"

namespace heddle::runtime {

struct Decider {
  // An execution begins. Null: there is nothing to prepare.
  void (*begin)(const wire::Job& job);
  // There is a new thread, which can go: main is the first. Null: of no interest.
  void (*thread_added)(const Thread* thread);
  // The number of an option. There is one at least.
  uint32_t (*choose)(const ChoicePoint& point);
  // The last step is complete: its thread, the running one, has reached its next operation or its
  // end, and the next choice is about to be made. Null: of no interest.
  void (*stepped)(const wire::Step& step);
  // It is asked, and told, at every step. Else only where the default behaviour leaves a choice to
  // be made: where the running thread cannot go on.
  bool every_step;
};

// Who decides in an execution of this job.
const Decider* decider_for(const wire::Job& job);
// … by its name.
const Decider* decider_of(wire::Decider decider);

}  // namespace heddle::runtime
