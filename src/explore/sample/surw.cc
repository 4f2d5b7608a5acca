#include "explore/sample/surw.h"

#include <algorithm>

namespace heddle::explore {

namespace {

constexpr uint64_t kMainId = 0xa43f6a8885a308d3;  // runtime/schedule/scheduler.cc
constexpr size_t kMostHints = 2048;
constexpr uint64_t kOfObjects = 1;  // tells the seed of the objects from the decider's

}  // namespace

void Surw::prepare(pool::Plan* plan) {
  if (plan->token % kProfiles == 0) plan->flags |= wire::kWantSteps;
  if (objects_.empty()) return;
  Random random(mix(plan->seed, kOfObjects));
  uint64_t object = objects_[random.below(objects_.size())];
  std::vector<uint64_t> expected(threads_.size());
  auto first = std::ranges::lower_bound(uses_, object, {}, &Use::object);
  auto last = std::ranges::upper_bound(uses_, object, {}, &Use::object);
  for (auto use = first; use != last; ++use) {
    for (uint32_t i = use->thread; i != wire::kNoThread; i = threads_[i].parent) {
      expected[i] += use->count;
    }
  }
  std::vector<uint64_t> words = {object};
  for (size_t i = 0; i < threads_.size() && words.size() < kMostHints; ++i) {
    if (expected[i] == 0) continue;
    words.push_back(threads_[i].id);
    words.push_back(expected[i]);
  }
  hints_.give(plan, words);
}

void Surw::look_at(const pool::Plan& plan, causality::Observation& observation) {
  const causality::Execution& execution = observation.execution();
  if (plan.token % kProfiles == 0 && execution.is_whole()) profile(execution);
}

void Surw::profile(const causality::Execution& execution) {
  threads_.assign(execution.result.thread_count, {0, wire::kNoThread});
  if (!threads_.empty()) threads_[0].id = kMainId;
  uses_.clear();
  for (const wire::Step& step : execution.steps) {
    if (step.thread >= threads_.size()) continue;
    if (step.op == wire::Op::begin && step.after < execution.steps.size()) {
      const wire::Step& creation = execution.steps[step.after];
      threads_[step.thread] = {creation.object, creation.thread};
    }
    if (wire::op_effect(step.op) == '-') continue;
    uses_.push_back({step.object, step.thread, 1});
  }
  std::ranges::sort(uses_, [](const Use& a, const Use& b) {
    return a.object != b.object ? a.object < b.object : a.thread < b.thread;
  });
  auto same = [](const Use& a, const Use& b) {
    return a.object == b.object && a.thread == b.thread;
  };
  size_t kept = 0;
  for (size_t i = 0; i < uses_.size(); ++i) {
    if (kept != 0 && same(uses_[kept - 1], uses_[i])) {
      ++uses_[kept - 1].count;
    } else {
      uses_[kept++] = uses_[i];
    }
  }
  uses_.resize(kept);
  objects_.clear();
  for (size_t i = 1; i < uses_.size(); ++i) {
    uint64_t object = uses_[i].object;
    if (object != uses_[i - 1].object) continue;
    if (objects_.empty() || objects_.back() != object) objects_.push_back(object);
  }
}

void Surw::save(ByteWriter& out) const {
  HintingSampler::save(out);
  out.put_all(threads_);
  out.put_all(uses_);
  out.put_all(objects_);
}

void Surw::load(ByteReader& in) {
  HintingSampler::load(in);
  threads_ = in.get_all<Thread>();
  uses_ = in.get_all<Use>();
  objects_ = in.get_all<uint64_t>();
  // A parent is created before its children.
  for (size_t i = 0; i < threads_.size(); ++i) {
    in.check(threads_[i].parent == wire::kNoThread || threads_[i].parent < i);
  }
  for (const Use& use : uses_) in.check(use.thread < threads_.size());
}

}  // namespace heddle::explore
