#include "trace/happens_before.h"

#include <algorithm>
#include <functional>
#include <unordered_map>

#include "wire/dependence.h"

namespace heddle::trace {
namespace {

constexpr uint32_t kNone = wire::kNoStep;
// Clocks of all steps are kept up to this many numbers (400 MB).
constexpr uint64_t kMaxClocks = 100'000'000;

// A trace may hold anything; what is no operation has no effect.
char effect_of_any(const wire::Step& step) {
  return static_cast<uint8_t>(step.op) < wire::kOpCount ? wire::effect_kind(step) : '-';
}

class Pass {
 public:
  explicit Pass(std::span<const wire::Step> steps) : steps_(steps) {
    for (const wire::Step& step : steps) threads_ = std::max<uint32_t>(threads_, step.thread + 1u);
    keeps_clocks_ = uint64_t{threads_} * steps.size() <= kMaxClocks;
    if (keeps_clocks_) clocks_.resize(threads_ * steps.size());
    now_.resize(threads_);
    last_of_.assign(threads_, kNone);
    find_borders();
  }

  Causes run() {
    Causes found;
    found.begin.push_back(0);
    for (uint32_t i = 0; i < steps_.size(); ++i) {
      candidates_.clear();
      collect(i);
      keep(i, &found.causes);
      found.begin.push_back(static_cast<uint32_t>(found.causes.size()));
      remember(i);
    }
    return found;
  }

 private:
  struct Object {
    uint32_t changed = kNone;     // the last step that did
    std::vector<uint32_t> reads;  // since then; of each thread the last one
  };

  // Bytes are divided where an operation's begin or end: each piece is an object.
  void find_borders() {
    auto add = [&](uint64_t object, uint64_t bytes) {
      borders_.push_back(object);
      borders_.push_back(object + bytes);
    };
    for (const wire::Step& step : steps_) {
      if (effect_of_any(step) == '-') continue;
      add(step.object, wire::bytes_of(step));
      if (wire::second_of(step) != 0) add(wire::second_of(step), wire::second_bytes_of(step));
    }
    std::ranges::sort(borders_);
    borders_.erase(std::unique(borders_.begin(), borders_.end()), borders_.end());
  }

  // Calls visit(object, changes) for each piece that the step is on.
  template <typename Visit>
  void for_each_object(const wire::Step& step, Visit visit) {
    if (wire::is_on_descriptor(step.op)) visit(descriptors_, true);
    char effect = effect_of_any(step);
    if (effect == '-') return;
    auto pieces = [&](uint64_t object, uint64_t bytes, bool changes) {
      auto border = std::ranges::lower_bound(borders_, object);
      for (; border != borders_.end() && *border - object < bytes; ++border) {
        visit(objects_[*border], changes);
      }
    };
    pieces(step.object, wire::bytes_of(step), effect == 'w');
    if (wire::second_of(step) == 0) return;
    pieces(wire::second_of(step), wire::second_bytes_of(step), !wire::reads_second(step));
  }

  void add(uint32_t cause) {
    if (cause != kNone) candidates_.push_back(cause);
  }

  void collect(uint32_t number) {
    const wire::Step& step = steps_[number];
    if (step.after < number) add(step.after);
    add(last_wide_);
    if (wire::depends_on_all(step.op)) {
      for (uint32_t last : last_of_) add(last);
      return;
    }
    for_each_object(step, [&](const Object& object, bool changes) {
      add(object.changed);
      if (!changes) return;
      for (uint32_t read : object.reads) add(read);
    });
  }

  // Those that nothing else implies, and the clock of the step: for each thread, 1 + its last step
  // that comes before.
  void keep(uint32_t number, std::vector<uint32_t>* causes) {
    uint32_t thread = steps_[number].thread;
    join(last_of_[thread]);
    std::ranges::sort(candidates_, std::greater<>());
    for (uint32_t cause : candidates_) {
      if (now_[steps_[cause].thread] > cause) continue;
      causes->push_back(cause);
      join(cause);
    }
    now_[thread] = number + 1;
    if (keeps_clocks_) {
      std::ranges::copy(now_, clock(number));
      std::ranges::fill(now_, 0);
      return;
    }
    now_[thread] = 0;
    for (uint32_t cause : candidates_) now_[steps_[cause].thread] = 0;
  }

  void join(uint32_t step) {
    if (step == kNone) return;
    uint32_t& own = now_[steps_[step].thread];
    own = std::max(own, step + 1);
    if (!keeps_clocks_) return;
    const uint32_t* other = clock(step);
    for (uint32_t i = 0; i < threads_; ++i) now_[i] = std::max(now_[i], other[i]);
  }

  void remember(uint32_t number) {
    const wire::Step& step = steps_[number];
    last_of_[step.thread] = number;
    if (wire::depends_on_all(step.op)) last_wide_ = number;
    for_each_object(step, [&](Object& object, bool changes) {
      if (changes) {
        object.changed = number;
        object.reads.clear();
        return;
      }
      auto same = [&](uint32_t read) { return steps_[read].thread == step.thread; };
      auto found = std::ranges::find_if(object.reads, same);
      if (found == object.reads.end()) {
        object.reads.push_back(number);
      } else {
        *found = number;
      }
    });
  }

  uint32_t* clock(uint32_t step) { return &clocks_[uint64_t{step} * threads_]; }

  std::span<const wire::Step> steps_;
  uint32_t threads_ = 0;
  bool keeps_clocks_ = false;
  std::vector<uint32_t> clocks_;  // of each step, if they are kept
  std::vector<uint32_t> now_;     // of the step that is looked at; else zeros
  std::vector<uint32_t> last_of_;
  uint32_t last_wide_ = kNone;  // step that depends on everything
  std::vector<uint64_t> borders_;
  std::unordered_map<uint64_t, Object> objects_;
  Object descriptors_;  // all of them: they depend on each other
  std::vector<uint32_t> candidates_;
};

}  // namespace

Causes causes_of(std::span<const wire::Step> steps) { return Pass(steps).run(); }

}  // namespace heddle::trace
