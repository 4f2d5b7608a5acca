#include "runtime/decide/uniform.h"

namespace heddle::runtime {

UniformRandom g_uniform;

namespace {

void begin(const wire::Job& job) {
  g_uniform.generator = Random(job.seed);
  g_uniform.next = g_uniform.generator.next();
}

uint32_t choose(const ChoicePoint& point) {
  if (HEDDLE_UNLIKELY(passes_over_some())) return point.first();
  // Without open operations an option is a thread.
  if (HEDDLE_LIKELY(g_run.open_count == 0)) return choose_uniformly(point.count());
  uint32_t threads = 0;
  point.for_each_thread([&](const Thread*, uint32_t) { ++threads; });
  uint32_t chosen = choose_uniformly(threads);
  uint32_t number = 0;
  uint32_t before = 0;
  uint32_t own = 0;
  point.for_each_thread([&](const Thread*, uint32_t outcomes) {
    if (number < chosen) before += outcomes;
    if (number++ == chosen) own = outcomes;
  });
  return before + (own == 1 ? 0 : choose_uniformly(own));
}

}  // namespace

const Decider kUniformDecider{begin, nullptr, choose, nullptr, true};

}  // namespace heddle::runtime
