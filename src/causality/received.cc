#include "causality/received.h"

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

}  // namespace heddle::causality
