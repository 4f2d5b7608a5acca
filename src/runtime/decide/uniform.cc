#include "runtime/decide/uniform.h"

#include "base/random.h"

namespace heddle::runtime {

namespace {

Random g_random;

void begin(const wire::Job& job) { g_random = Random(job.seed); }

uint32_t choose(const ChoicePoint& point) {
  if (HEDDLE_UNLIKELY(passes_over_some())) return point.first();
  return static_cast<uint32_t>(g_random.below(point.count()));
}

}  // namespace

const Decider kUniformDecider{begin, nullptr, choose, nullptr, true};

}  // namespace heddle::runtime
