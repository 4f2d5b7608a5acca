#include "causality/received.h"

#include <algorithm>

#include "wire/seal.h"

namespace heddle::causality {

namespace {

bool is_sensible(const wire::Step& step, uint32_t number, uint32_t threads) {
  return step.thread < threads && static_cast<uint32_t>(step.op) < wire::kOpCount &&
         (step.after == wire::kNoStep || step.after < number);
}

}  // namespace

bool is_sensible(const Execution& execution) {
  const wire::Result& result = execution.result;
  bool sensible = true;
  uint32_t number = result.first_step;
  for (const wire::Step& step : execution.steps) {
    sensible &= is_sensible(step, number++, result.thread_count) && step.choice < step.options &&
                step.free_options <= step.options;
  }
  for (const wire::Step& step : execution.pending) {
    sensible &= is_sensible(step, result.step_count, result.thread_count);
  }
  for (uint16_t thread : execution.option_threads) sensible &= thread < result.thread_count;
  return sensible;
}

bool is_as_sealed(const Execution& execution) {
  const wire::Result& result = execution.result;
  if (wire::checksum_of(result, execution.pending, execution.digest) != result.checksum) {
    return false;
  }
  uint32_t unsealed = result.sealed_from - std::min(result.sealed_from, result.first_step);
  if (unsealed > execution.steps.size()) return false;
  uint64_t areas = wire::seal_of_options(execution.option_threads) +
                   wire::seal_of_states(execution.states.data(), execution.states.size()) +
                   wire::seal_of_notes(execution.notes);
  return wire::seal_of(execution.steps.subspan(unsealed)) == result.step_seal &&
         areas == result.area_seal;
}

}  // namespace heddle::causality
