#include "explore/reduction/reduced_search.h"

#include <algorithm>

#include "explore/reduction/sleepers.h"

namespace heddle::explore {

ReducedSearch::ReducedSearch(const StrategyOptions& options)
    : fringe_(options.directory),
      order_(options.order, options.seed, true),
      memory_(options.memory),
      sleep_sets_(options.sleep_sets) {}

// How many threads the node's schedule puts to sleep at its step.
uint32_t ReducedSearch::sleepers(const Node& node) const {
  return sleep_sets_ ? place_of(node) : 0;
}

std::optional<pool::Plan> ReducedSearch::next() {
  pool::Plan plan;
  plan.flags = wire::kWantSteps | wire::kWantPending;
  if (root_is_due_) {
    root_is_due_ = false;
    plan.token = tree_.add_root();
    return plan;
  }
  if (fringe_.empty()) return std::nullopt;
  Entry entry = fringe_.pop();
  uint32_t index = tree_.add(entry.parent, entry.step, entry.choice, entry.extra);
  plan.token = index;
  plan.check_step = entry.step;
  plan.check = entry.check;
  for (; tree_[index].parent != ExecutionTree::kNone; index = tree_[index].parent) {
    plan.decision_count += 1 + sleepers(tree_[index]);
  }
  return plan;
}

void ReducedSearch::write_decisions(const pool::Plan& plan, wire::Decision* out) const {
  auto index = static_cast<uint32_t>(plan.token);
  wire::Decision* end = out + plan.decision_count;
  for (; tree_[index].parent != ExecutionTree::kNone; index = tree_[index].parent) {
    const Node& node = tree_[index];
    *--end = wire::Decision::of_thread(node.step, node.choice - 1u, outcome_of(node));
    uint32_t count = sleepers(node);
    if (count == 0) continue;
    end -= count;
    wire::Decision* place = end;
    lists_.for_each(lists_.find(node.parent, node.step), count,
                    [&](uint32_t thread) { *place++ = wire::Decision::sleep(node.step, thread); });
  }
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

void ReducedSearch::find_lists(const trace::Execution& execution) {
  list_at_.assign(execution.steps.size(), BacktrackLists::kNone);
  for (size_t i = 0; i < path_.size(); ++i) {
    uint32_t last = i + 1 < path_.size() ? tree_[path_[i + 1]].step : wire::kNoStep;
    for (uint32_t list = lists_.first(path_[i]); list != BacktrackLists::kNone;
         list = lists_.next(list)) {
      uint32_t step = lists_.step(list);
      if (step <= last && step < list_at_.size()) list_at_[step] = list;
    }
  }
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
      const Node& node = tree_[path_[decision++]];
      if (place_of(node) > 0) {
        lists_.for_each(list_at_[i], place_of(node), [&](uint32_t thread) {
          if (thread < wire::kSleepers) asleep |= uint64_t{1} << thread;
        });
      }
    }
    if (asleep != 0) {
      asleep = still_asleep(asleep, races_, i);
    } else if (decision == path_.size()) {
      return;
    }
  }
}

// Where the operation of a thread that went has several outcomes, all of them are to be run. Those
// of the decisions above were added with them.
void ReducedSearch::add_outcomes(uint32_t index, const trace::Execution& execution) {
  for (uint32_t i = tree_[index].step + 1; i < execution.steps.size(); ++i) {
    const wire::Step& step = execution.steps[i];
    for (uint32_t outcome = step.outcomes; outcome-- > 0;) {
      if (outcome != step.outcome) additions_.push_back({index, i, step.thread, outcome, 0, false});
    }
  }
}

void ReducedSearch::reverse(const Race& race) {
  std::span<const Races::Initial> initials = races_.initials(race);
  uint32_t& list = list_at_[race.first];
  for (const Races::Initial& initial : initials) {
    if (initial.thread < wire::kSleepers && (asleep_at_[race.first] >> initial.thread & 1) != 0) {
      return;
    }
    if (list != BacktrackLists::kNone && lists_.contains(list, initial.thread)) return;
  }
  HEDDLE_CHECK(!initials.empty());
  const Races::Initial& chosen = initials.front();
  uint32_t owner = owner_of(race.first);
  if (list == BacktrackLists::kNone) {
    list = lists_.add(owner, race.first, races_.event(race.first).thread);
  }
  uint32_t place = lists_.count(list);
  lists_.append(list, chosen.thread);
  uint32_t outcomes = std::max<uint32_t>(races_.event(chosen.event).outcomes, 1);
  for (uint32_t outcome = outcomes; outcome-- > 0;) {
    additions_.push_back({owner, race.first, chosen.thread, outcome, place, race.conservative});
  }
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
    const wire::Step& step = execution.steps[addition.step];
    Entry entry{addition.owner, addition.step, step.check,
                static_cast<uint16_t>(addition.thread + 1), pack(addition.place, addition.outcome)};
    Key key{};
    if (ordered) {
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
      key = order_.key_of(candidate);
    }
    fringe_.push(key, entry);
    tree_.keep(addition.owner, 1);
  }
  additions_.clear();
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
    uint32_t from = tree_[index].step == wire::kNoStep ? 0 : tree_[index].step;
    find_path(index);
    races_.look_at(execution, from);
    find_lists(execution);
    find_sleepers(execution);
    add_outcomes(index, execution);
    for (const Race& race : races_.found()) reverse(race);
    list_bytes_peak_ = std::max(list_bytes_peak_, lists_.bytes());
    push(execution);
  }
  release(index);
  history_.executed(tree_, fringe_, execution.result.step_count);
  memory_.keep(tree_.bytes() + lists_.bytes(), fringe_);
}

TreeStatistics ReducedSearch::statistics() const {
  TreeStatistics statistics = history_.statistics(tree_, fringe_);
  statistics.bytes_peak += list_bytes_peak_;
  return statistics;
}

}  // namespace heddle::explore
