// The table of deciders.
#include "runtime/decide/cycle.h"
#include "runtime/decide/decider.h"
#include "runtime/decide/default.h"
#include "runtime/decide/uniform.h"

namespace heddle::runtime {

const Decider* decider_of(wire::Decider decider) {
  switch (decider) {
    case wire::Decider::follow:
      return &kDefaultDecider;
    case wire::Decider::uniform:
      return &kUniformDecider;
  }
  internal_error("there is no such decider", __FILE__, __LINE__);
}

const Decider* decider_for(const wire::Job& job) {
  return job.cycle != 0 ? &kCycleDecider : decider_of(job.decider);
}

}  // namespace heddle::runtime
