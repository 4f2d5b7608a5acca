#include "explore/reduction/reduced_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "base/error.h"
#include "explore/reduction/sleepers.h"
#include "wire/dependence.h"

namespace heddle::explore {

using wire::Op;

namespace {

// By default others go before a thread with such an operation, or may.
bool may_give_way(Op op) {
  switch (op) {
    case Op::begin:
    case Op::yield:
    case Op::sleep:
    case Op::timedlock:
    case Op::cond_sleep:
    case Op::futex_sleep:
    case Op::sem_wait:
    case Op::rdlock:
    case Op::wrlock:
    case Op::join:
      return true;
    default:
      return wire::is_on_descriptor(op);
  }
}

}  // namespace

ReducedSearch::ReducedSearch(const StrategyOptions& options)
    : fringe_(options.directory),
      order_(options.order, options.seed, true, options.user),
      memory_(options.memory),
      sleep_sets_(options.sleep_sets) {}

// The threads that the node's schedule puts to sleep at its step. Where so many have been added
// that the place is not known, there are none.
uint64_t ReducedSearch::sleepers(const Node& node) const {
  uint32_t place = place_of(node);
  if (!sleep_sets_ || place == 0 || place == kMaxPlace) return 0;
  return lists_.sleepers(lists_.find(node.parent, node.step), place);
}

std::optional<pool::Plan> ReducedSearch::next() {
  pool::Plan plan;
  plan.flags = wire::kWantSteps | wire::kWantPending;
  if (order_.needs_whole()) plan.flags |= wire::kWantOptions;
  if (root_is_due_) {
    root_is_due_ = false;
    plan.token = tree_.add_root();
    ++under_way_;
    return plan;
  }
  if (fringe_.empty()) return std::nullopt;
  Entry entry = fringe_.pop();
  ++under_way_;
  uint32_t index = tree_.add(entry.parent, entry.step, entry.choice, entry.extra);
  plan.token = index;
  plan.check_step = tree_[real_node(index)].step;
  plan.check = entry.check;
  for (; tree_[index].parent != ExecutionTree::kNone; index = tree_[index].parent) {
    plan.decision_count += 1 + static_cast<uint32_t>(std::popcount(sleepers(tree_[index])));
  }
  return plan;
}

void ReducedSearch::write_decisions(const pool::Plan& plan, wire::Decision* out) const {
  auto index = static_cast<uint32_t>(plan.token);
  wire::Decision* end = out + plan.decision_count;
  for (; tree_[index].parent != ExecutionTree::kNone; index = tree_[index].parent) {
    const Node& node = tree_[index];
    *--end = is_wish(node)
                 ? wire::Decision::wish(node.step, thread_of(node), outcome_of(node))
                 : wire::Decision::of_thread(node.step, thread_of(node), outcome_of(node));
    for (uint64_t rest = sleepers(node); rest != 0; rest &= rest - 1) {
      *--end = wire::Decision::sleep(node.step, static_cast<uint32_t>(std::countr_zero(rest)));
    }
  }
}

// The node itself, or the one whose wishes lead to it.
uint32_t ReducedSearch::real_node(uint32_t index) const {
  while (is_wish(tree_[index])) index = tree_[index].parent;
  return index;
}

void ReducedSearch::find_path(uint32_t index) {
  path_.clear();
  for (; index != ExecutionTree::kNone; index = tree_[index].parent) path_.push_back(index);
  std::reverse(path_.begin(), path_.end());
}

// The node whose own decisions end before the step, and whose execution took it first.
uint32_t ReducedSearch::owner_of(uint32_t step) const {
  auto is_below = [&](uint32_t index, uint32_t value) { return tree_[index].step < value; };
  return *(std::lower_bound(path_.begin() + 1, path_.end(), step, is_below) - 1);
}

// What the runtime does with the threads that a schedule puts to sleep, done again here: who sleeps
// before each step.
void ReducedSearch::find_sleepers(const trace::Execution& execution) {
  asleep_at_.assign(execution.steps.size(), 0);
  if (!sleep_sets_ || path_.size() == 1) return;
  uint64_t asleep = 0;
  size_t decision = 1;
  for (uint32_t i = tree_[path_[1]].step; i < execution.steps.size(); ++i) {
    asleep_at_[i] = asleep;
    if (decision < path_.size() && tree_[path_[decision]].step == i) {
      asleep |= sleepers(tree_[path_[decision++]]);
    }
    if (asleep != 0) {
      asleep = still_asleep(asleep, races_, i);
    } else if (decision == path_.size()) {
      return;
    }
  }
}

// Where the operation of a thread that went has several outcomes, all of them are to be run. The
// node's own decision was added with outcome 0: how many there are is known from now on.
void ReducedSearch::add_outcomes(uint32_t index, const trace::Execution& execution) {
  const Node& node = tree_[real_node(index)];
  if (node.parent != ExecutionTree::kNone && outcome_of(node) == 0 &&
      node.step < execution.steps.size()) {
    for (uint32_t outcome = execution.steps[node.step].outcomes; outcome-- > 1;) {
      additions_.push_back(
          {node.parent, node.step, thread_of(node), outcome, place_of(node), false, 0, 0});
    }
  }
  for (uint32_t i = node.step + 1; i < execution.steps.size(); ++i) {
    const wire::Step& step = execution.steps[i];
    for (uint32_t outcome = step.outcomes; outcome-- > 0;) {
      if (outcome != step.outcome) {
        additions_.push_back({owner_of(i), i, step.thread, outcome, 0, false, 0, 0});
      }
    }
  }
}

// The last step may have ended the execution while others could go on: see BacktrackLists. Whoever
// was added after its thread, and passed it over, is then added again. The exit is known to do so.
void ReducedSearch::learn_end(const trace::Execution& execution) {
  ending_step_ = wire::kNoStep;
  auto last = static_cast<uint32_t>(execution.steps.size()) - 1;
  const wire::Step& step = execution.steps[last];
  bool failed = execution.failed() && execution.result.failure != wire::Failure::deadlock;
  bool given_up = execution.result.ending == wire::Ending::pruned;
  if ((!failed && !given_up) || wire::depends_on_all(step.op)) return;
  ending_step_ = last;
  if (step.thread >= wire::kSleepers) return;
  uint32_t owner = owner_of(last);
  uint32_t list = lists_.find(owner, last);
  if (list == BacktrackLists::kNone) list = lists_.add(owner, last, step.thread);
  if (lists_.has_mark(list, step.thread)) return;
  std::vector<uint32_t> later;
  bool found = false;
  lists_.for_each(list, lists_.count(list), [&](uint32_t entry) {
    if (found && !BacktrackLists::is_mark(entry)) later.push_back(entry);
    found |= entry == step.thread;
  });
  lists_.mark_end(list, step.thread, failed);
  if (!failed || !sleep_sets_) return;
  for (uint32_t thread : later) {
    uint32_t place = lists_.count(list);
    lists_.append(list, thread);
    additions_.push_back({owner, last, thread, 0, place, false, 0, 0});
  }
}

// Whether a thread that will do has been added at the race's first step, or sleeps there.
bool ReducedSearch::is_covered(const Race& race) const {
  for (uint64_t rest = asleep_at_[race.first]; rest != 0; rest &= rest - 1) {
    if (races_.is_early_initial(race, static_cast<uint32_t>(__builtin_ctzll(rest)))) return true;
  }
  uint32_t list = lists_.find(owner_of(race.first), race.first);
  if (list == BacktrackLists::kNone) return false;
  bool covered = false;
  lists_.for_each(list, lists_.count(list), [&](uint32_t thread) {
    if (covered || BacktrackLists::is_mark(thread)) return;
    // Nothing comes after a step that ends an execution. What was thought to be covered by it,
    // before it was run, is so by all others that can go there.
    bool strict =
        race.first == ending_step_ || thread >= wire::kSleepers || lists_.has_mark(list, thread);
    covered = strict ? races_.is_initial(race, thread) : races_.is_weak_initial(race, thread);
  });
  return covered;
}

// The sequence after its first event, as far as the default would not do the same: the running
// thread goes on unless it gives way.
uint32_t ReducedSearch::add_wishes(const Race& race, std::span<const uint32_t> sequence) {
  auto begin = static_cast<uint32_t>(wishes_.size());
  for (uint32_t i = 1; i < sequence.size() && wishes_.size() - begin < kMaxWishes; ++i) {
    const wire::Step& step = races_.event(sequence[i]);
    bool goes_on = step.thread == races_.event(sequence[i - 1]).thread && step.outcome == 0;
    if (goes_on && !may_give_way(step.op)) continue;
    wishes_.push_back({race.first + i, step.thread, step.outcome});
  }
  return static_cast<uint32_t>(wishes_.size()) - begin;
}

void ReducedSearch::reverse(const Race& race) {
  if (is_covered(race)) return;
  std::span<const uint32_t> sequence = races_.wakeup(race);
  const wire::Step& chosen = races_.event(sequence.front());
  uint32_t owner = owner_of(race.first);
  uint32_t list = lists_.find(owner, race.first);
  if (list == BacktrackLists::kNone) {
    list = lists_.add(owner, race.first, races_.event(race.first).thread);
  }
  uint32_t place = lists_.count(list);
  lists_.append(list, chosen.thread);
  auto first_wish = static_cast<uint32_t>(wishes_.size());
  uint32_t wish_count = add_wishes(race, sequence);
  additions_.push_back({owner, race.first, chosen.thread, 0, place, race.conservative, first_wish,
                        chosen.outcome == 0 ? wish_count : 0});
}

Key ReducedSearch::key_of(const Addition& addition, const trace::Execution& execution) {
  const wire::Step& step = execution.steps[addition.step];
  // Where the running thread could have gone on, its options are the free ones.
  bool may_go_on = step.free_options < step.options;
  bool preempts = may_go_on && execution.steps[addition.step - 1].thread != addition.thread;
  Candidate candidate{};
  candidate.step = addition.step;
  candidate.choice = addition.thread << 8 | addition.outcome;
  candidate.thread = addition.thread;
  candidate.check = step.check;
  candidate.preemptions = preemptions_before_[addition.step] + (preempts ? 1 : 0);
  candidate.preempts = preempts;
  candidate.by_reduction = true;
  candidate.conservative = addition.conservative;
  return order_.key_of(candidate);
}

// The additions go into the fringe, the deepest last: among equals it is then the first to be run.
void ReducedSearch::push(const trace::Execution& execution) {
  std::stable_sort(additions_.begin(), additions_.end(),
                   [](const Addition& a, const Addition& b) { return a.step < b.step; });
  bool ordered = !order_.empty();
  if (ordered && !additions_.empty()) {
    order_.look_at(execution, 0);
    preemptions_before_.assign(execution.steps.size() + 1, 0);
    for (size_t i = 0; i < execution.steps.size(); ++i) {
      const wire::Step& step = execution.steps[i];
      preemptions_before_[i + 1] =
          preemptions_before_[i] + (step.choice >= step.free_options ? 1 : 0);
    }
  }
  for (const Addition& addition : additions_) {
    tree_.keep(addition.owner, 1);
    Entry entry{addition.owner, addition.step, execution.steps[addition.step].check,
                static_cast<uint16_t>(addition.thread + 1), pack(addition.place, addition.outcome)};
    // Each wish takes what is there so far as a node of its own, whose one successor it is.
    for (uint32_t i = 0; i < addition.wish_count; ++i) {
      const Wish& wish = wishes_[addition.first_wish + i];
      entry.parent = tree_.add(entry.parent, entry.step, entry.choice, entry.extra);
      entry.step = wish.step;
      entry.choice = static_cast<uint16_t>((wish.thread + 1) | kWish);
      entry.extra = pack(0, wish.outcome);
    }
    fringe_.push(ordered ? key_of(addition, execution) : Key{}, entry);
  }
  additions_.clear();
  wishes_.clear();
}

void ReducedSearch::release(uint32_t index) {
  for (uint32_t i = index; i != ExecutionTree::kNone && tree_[i].live == 1; i = tree_[i].parent) {
    lists_.drop(i);
  }
  tree_.release(index);
}

void ReducedSearch::executed(const pool::Plan& plan, const trace::Execution& execution) {
  auto index = static_cast<uint32_t>(plan.token);
  bool whole = execution.result.first_step == 0 && !execution.steps.empty();
  if (whole) {
    if (execution.result.thread_count > kMaxThreads) {
      throw UserError(fmt::format(
          "an execution has more than {} threads: too many for --reduce dpor; leave it out",
          kMaxThreads));
    }
    uint32_t step = tree_[real_node(index)].step;
    uint32_t from = step == wire::kNoStep ? 0 : step;
    find_path(index);
    races_.look_at(execution, from);
    find_sleepers(execution);
    add_outcomes(index, execution);
    learn_end(execution);
    for (const Race& race : races_.found()) reverse(race);
    list_bytes_peak_ = std::max(list_bytes_peak_, lists_.bytes());
    push(execution);
  }
  --under_way_;
  release(index);
  history_.executed(tree_, fringe_, execution.result.step_count);
  memory_.keep(tree_.bytes() + lists_.bytes(), fringe_);
}

// Races that have not been seen yet may add schedules anywhere, and more the further the search is
// from its end: how many there are cannot be told from those so far.
std::optional<Remaining> ReducedSearch::remaining() const {
  return Remaining{fringe_.size() + under_way_, std::nullopt};
}

TreeStatistics ReducedSearch::statistics() const {
  TreeStatistics statistics = history_.statistics(tree_, fringe_);
  statistics.bytes_peak += list_bytes_peak_;
  return statistics;
}

void ReducedSearch::save(ByteWriter& out) const {
  out.put(root_is_due_);
  out.put(under_way_);
  tree_.save(out);
  lists_.save(out);
  fringe_.save(out);
  history_.save(out);
  out.put(list_bytes_peak_);
}

void ReducedSearch::load(ByteReader& in) {
  in.get(&root_is_due_);
  in.get(&under_way_);
  tree_.load(in);
  lists_.load(in);
  fringe_.load(in, [&] { memory_.keep(tree_.bytes() + lists_.bytes(), fringe_); });
  history_.load(in);
  in.get(&list_bytes_peak_);
}

}  // namespace heddle::explore
