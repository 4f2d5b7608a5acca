#include "runtime/decide/default.h"

namespace heddle::runtime {

namespace {

uint32_t choose(const ChoicePoint& point) { return point.first(); }

}  // namespace

const Decider kDefaultDecider{nullptr, nullptr, choose, nullptr, false};

}  // namespace heddle::runtime
