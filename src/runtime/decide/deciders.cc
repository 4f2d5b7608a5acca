// The table of deciders.
#include "runtime/decide/cycle.h"
#include "runtime/decide/decider.h"
#include "runtime/decide/default.h"
#include "runtime/decide/descend.h"
#include "runtime/decide/guide.h"
#include "runtime/decide/pct.h"
#include "runtime/decide/pos.h"
#include "runtime/decide/rf.h"
#include "runtime/decide/surw.h"
#include "runtime/decide/uniform.h"

namespace heddle::runtime {

const Decider* decider_of(wire::Decider decider) {
  switch (decider) {
    case wire::Decider::follow:
      return &kDefaultDecider;
    case wire::Decider::uniform:
      return &kUniformDecider;
    case wire::Decider::pct:
      return &kPctDecider;
    case wire::Decider::pos:
      return &kPosDecider;
    case wire::Decider::surw:
      return &kSurwDecider;
    case wire::Decider::rf:
      return &kRfDecider;
    case wire::Decider::descend:
      return &kDescendDecider;
    case wire::Decider::guide:
      return &kGuideDecider;
  }
  internal_error("there is no such decider", __FILE__, __LINE__);
}

const Decider* decider_for(const wire::Job& job) {
  return job.cycle != 0 ? &kCycleDecider : decider_of(job.decider);
}

}  // namespace heddle::runtime
