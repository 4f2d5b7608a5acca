#include "explore/best_first.h"

#include <algorithm>

#include "base/check.h"
#include "causality/told.h"

namespace heddle::explore {

namespace {

constexpr uint32_t kNoBound = 0xffffffff;
constexpr uint32_t kMany = 0xffff;  // decisions: too many to be kept, they have to be counted
// Steps of an execution that was cut in which others may begin: the search is incomplete anyway,
// and what waits shall not fill the disk.
constexpr uint32_t kVariedOfCut = 100'000;

// Of the execution's steps before `begin`. Those it was sent with are all after the node's own, so
// the total tells of the others.
uint32_t preemptions_before(uint32_t begin, const trace::Execution& execution) {
  uint32_t after = 0;
  size_t steps = std::min<size_t>(begin - execution.result.first_step, execution.steps.size());
  for (const wire::Step& step : execution.steps.subspan(steps)) {
    if (step.choice >= step.free_options) ++after;
  }
  return execution.result.preemptions - std::min(after, execution.result.preemptions);
}

void drop_first(std::span<const uint16_t>* span, size_t count) {
  *span = span->subspan(std::min(count, span->size()));
}

// The levels of the estimate: delays, or else preemptions; none without a bound.
TreeEstimate estimate_of(const StrategyOptions& options) {
  constexpr uint32_t kMostRise = 7;  // with one decision: so many delays
  bool depth_first = options.order.empty() && !options.bound_by_bound;
  if (options.delays) return {options.delays, kMostRise, depth_first};
  return {options.preemptions, 1, depth_first};
}

std::vector<std::string> order_of(const StrategyOptions& options) {
  std::vector<std::string> order = options.order;
  if (options.bound_by_bound) {
    std::erase(order, "pb");
    order.insert(order.begin(), "pb");
  }
  return order;
}

}  // namespace

BestFirst::BestFirst(const StrategyOptions& options)
    : fringe_(options.directory),
      order_(order_of(options), options.seed, false, options.user),
      estimate_(estimate_of(options)),
      bound_by_bound_(options.bound_by_bound),
      preemption_bound_(options.preemptions.value_or(kNoBound)),
      delay_bound_(options.delays.value_or(kNoBound)),
      depth_(options.depth.value_or(wire::kNoStep)),
      memory_(options.memory) {}

std::optional<pool::Plan> BestFirst::next() {
  pool::Plan plan;
  plan.flags = wire::kWantSteps;
  if (order_.needs_whole()) plan.flags |= wire::kWantPending | wire::kWantOptions;
  if (root_is_due_) {
    root_is_due_ = false;
    plan.token = tree_.add_root();
    ++under_way_;
    return plan;
  }
  if (fringe_.empty()) return std::nullopt;
  if (bound_by_bound_ && !best_is_within_bound()) {
    if (under_way_ > 0) return std::nullopt;
    bound_ = static_cast<uint32_t>(fringe_.best_key()[0]);
  }
  Entry entry = fringe_.pop();
  ++under_way_;
  uint32_t index = tree_.add(entry.parent, entry.step, entry.choice, entry.extra);
  plan.token = index;
  if (takes_prospects()) plan.flags |= wire::kWantProspects;
  plan.bound = preemption_bound_;
  plan.first_step = order_.needs_whole() && !takes_prospects() ? 0 : entry.step + 1;
  plan.check_step = entry.step;
  plan.check = entry.check;
  plan.decision_count =
      delay_bound_ == kNoBound && entry.extra < kMany ? entry.extra : tree_.decision_count(index);
  return plan;
}

std::optional<uint32_t> BestFirst::bound() const {
  return bound_by_bound_ ? std::optional(bound_) : std::nullopt;
}

bool BestFirst::bound_is_complete() const {
  return bound_by_bound_ && !root_is_due_ && under_way_ == 0 &&
         (fringe_.empty() || !best_is_within_bound());
}

void BestFirst::executed(const pool::Plan& plan, const trace::Execution& execution) {
  auto index = static_cast<uint32_t>(plan.token);
  uint64_t before = fringe_.size();
  if (execution.result.told == wire::Told::prospects) {
    look_at_prospects(index, execution);
  } else {
    look_at_steps(index, execution);
  }
  estimate_.finish();
  --under_way_;
  tree_.keep(index, static_cast<uint32_t>(fringe_.size() - before));
  tree_.release(index);
  history_.executed(tree_, fringe_, execution.result.step_count);
  memory_.keep(tree_.bytes(), fringe_);
}

// Successors are added by rising step, and by falling choice: the fringe then gives the deepest
// first, and its choices in order.
void BestFirst::look_at_steps(uint32_t index, const trace::Execution& execution) {
  const Node& node = tree_[index];
  uint32_t extra = node.extra;
  uint32_t first = execution.result.first_step;
  uint32_t begin = std::max(node.step + 1, first);
  uint32_t end = std::min(execution.result.step_count, depth_);
  if (execution.result.ending == wire::Ending::cut) end = std::min(end, kVariedOfCut);
  uint32_t preemptions = 0;
  bool counts_preemptions = preemption_bound_ != kNoBound || !order_.empty();
  if (counts_preemptions) preemptions = preemptions_before(begin, execution);
  uint32_t level = delay_bound_ != kNoBound ? extra : preemptions;
  estimate_.executed(node.step, level, begin, end);
  // The threads of the options of the step that is looked at, where they are known.
  std::span<const uint16_t> threads = execution.option_threads;
  for (uint32_t i = first; i < begin && !threads.empty(); ++i)
    drop_first(&threads, execution.steps[i - first].options);
  bool looked = false;
  for (uint32_t i = begin; i < end; ++i) {
    const wire::Step& step = execution.steps[i - first];
    uint32_t limit = step.options;
    if (preemptions >= preemption_bound_ && limit > step.free_options) {
      limit = step.free_options;
      held_back_ = true;
    }
    limit = delays_permit(limit, extra);
    if (limit > 1) {
      wire::Prospect fork{
          i, step.check, preemptions, static_cast<uint16_t>(limit), step.free_options, step.choice,
          0, 0};
      count_successors(fork, level);
      for (uint32_t choice = limit; choice-- > 1;) {
        if (choice == step.choice) continue;
        // Most executions of a bounded search have no successors but a few at their end.
        if (!looked) order_.look_at(execution, i);
        looked = true;
        uint32_t thread = choice < threads.size() ? threads[choice] : wire::kNoThread;
        add(index, extra, fork, choice, thread,
            [&](Candidate* candidate) { order_.weigh(candidate); });
      }
    }
    drop_first(&threads, step.options);
    if (step.choice >= step.free_options) ++preemptions;
  }
}

void BestFirst::look_at_prospects(uint32_t index, const trace::Execution& execution) {
  std::optional<causality::ToldProspects> told =
      causality::read_prospects(execution.told, execution.result);
  HEDDLE_CHECK(told.has_value());
  const Node& node = tree_[index];
  uint32_t extra = node.extra;
  uint32_t level = delay_bound_ != kNoBound ? extra : told->head.preemptions;
  estimate_.executed(node.step, level, node.step + 1, execution.result.step_count);
  if (told->head.held_back != 0) held_back_ = true;
  std::span<const wire::Way> ways = told->ways;
  for (wire::Prospect fork : told->forks) {
    std::span<const wire::Way> own = ways.first(fork.options - 1u);
    ways = ways.subspan(own.size());
    fork.options = static_cast<uint16_t>(delays_permit(fork.options, extra));
    if (fork.options <= 1) continue;
    count_successors(fork, level);
    for (uint32_t choice = fork.options; choice-- > 1;) {
      if (choice == fork.choice) continue;
      wire::Way way = own[choice - 1];
      add(index, extra, fork, choice, wire::kNoThread, [way](Candidate* candidate) {
        candidate->worth = static_cast<causality::Worth>(way & wire::kWorthMask);
        candidate->asleep = (way & wire::kAsleep) != 0;
      });
    }
  }
}

uint32_t BestFirst::delays_permit(uint32_t options, uint32_t extra) const {
  return delay_bound_ == kNoBound ? options : std::min(options, delay_bound_ - extra + 1);
}

void BestFirst::count_successors(const wire::Prospect& fork, uint32_t level) {
  uint32_t limit = fork.options;
  if (delay_bound_ != kNoBound) {
    for (uint32_t choice = 1; choice < limit; ++choice) {
      if (choice != fork.choice) estimate_.added(fork.step, level, choice, 1);
    }
    return;
  }
  bool bounded = preemption_bound_ != kNoBound;
  uint32_t free = bounded ? std::clamp<uint32_t>(fork.free_options, 1, limit) : limit;
  uint32_t same = free - 1;
  uint32_t raised = limit - free;
  if (fork.choice > 0 && fork.choice < limit) --(fork.choice < free ? same : raised);
  if (same > 0) estimate_.added(fork.step, level, 0, same);
  if (raised > 0) estimate_.added(fork.step, level, 1, raised);
}

template <typename Weigh>
void BestFirst::add(uint32_t index, uint32_t extra, const wire::Prospect& fork, uint32_t choice,
                    uint32_t thread, Weigh weigh) {
  extra = delay_bound_ == kNoBound ? std::min(extra + 1, kMany) : extra + choice;
  Entry entry{index, fork.step, fork.check, static_cast<uint16_t>(choice),
              static_cast<uint16_t>(extra)};
  if (order_.empty()) {
    fringe_.push(Key{}, entry);
    return;
  }
  bool preempts = choice >= fork.free_options;
  Candidate candidate{};
  candidate.step = fork.step;
  candidate.choice = choice;
  candidate.thread = thread;
  candidate.check = fork.check;
  candidate.preemptions = fork.preemptions + (preempts ? 1 : 0);
  candidate.preempts = preempts;
  weigh(&candidate);
  fringe_.push(order_.key_of(candidate), entry);
}

std::optional<Remaining> BestFirst::remaining() const {
  return Remaining{fringe_.size() + under_way_, estimate_.remaining()};
}

std::optional<Range> BestFirst::remaining_in_stage() const {
  return bound_by_bound_ ? estimate_.remaining(bound_) : estimate_.remaining();
}

void BestFirst::write_decisions(const pool::Plan& plan, wire::Decision* out) const {
  tree_.write_decisions(static_cast<uint32_t>(plan.token), plan.decision_count, out);
}

void BestFirst::save(ByteWriter& out) const {
  out.put(root_is_due_);
  out.put(held_back_);
  out.put(bound_);
  out.put(under_way_);
  tree_.save(out);
  fringe_.save(out);
  history_.save(out);
  estimate_.save(out);
}

void BestFirst::load(ByteReader& in) {
  in.get(&root_is_due_);
  in.get(&held_back_);
  in.get(&bound_);
  in.get(&under_way_);
  tree_.load(in);
  fringe_.load(in, [&] { memory_.keep(tree_.bytes(), fringe_); });
  history_.load(in);
  estimate_.load(in);
}

}  // namespace heddle::explore
