#include "explore/reduction/reduced_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "base/error.h"
#include "wire/dependence.h"

namespace heddle::explore {

ReducedSearch::ReducedSearch(const StrategyOptions& options)
    : frontier_(options.directory, options.memory),
      order_(options.order, options.seed, true, options.user),
      sleep_sets_(options.sleep_sets),
      by_lineage_(options.lineage) {}

// The threads that the node's schedule puts to sleep at its step. Where so many have been added
// that the place is not known, there are none.
uint64_t ReducedSearch::sleepers(const Node& node) const {
  uint32_t place = place_of(node);
  if (!sleep_sets_ || place == 0 || place == kMaxPlace) return 0;
  return lists_.find(node.parent, node.step).sleepers(place);
}

std::optional<pool::Plan> ReducedSearch::next() {
  pool::Plan plan;
  plan.flags = wire::kWantSteps | wire::kWantPending | wire::kObserveReversals;
  if (by_lineage_) plan.flags |= wire::kObserveLineage;
  if (order_.needs_whole()) plan.flags |= wire::kWantOptions;
  if (std::optional<uint32_t> root = frontier_.take_root()) {
    plan.token = root_ = *root;
    return plan;
  }
  if (frontier_.fringe().empty()) return std::nullopt;
  Entry entry = frontier_.take();
  uint32_t index = tree_.add(entry.parent, entry.step, entry.choice, entry.extra);
  plan.token = index;
  plan.check_step = tree_[real_node(index)].step;
  plan.first_step = plan.check_step;
  if (!order_.needs_whole()) plan.flags |= wire::kWorkerLooks;
  plan.check = entry.check;
  plan.decision_count = decision_count(index);
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

// Where the operation of a thread that went has several outcomes, all of them are to be run. The
// node's own decision was added with outcome 0: how many there are is known from now on.
void ReducedSearch::add_outcomes(uint32_t index, const wire::OpenStep& open) {
  const Node& node = tree_[real_node(index)];
  const wire::Fork& fork = open.fork;
  if (fork.step == node.step) {
    if (outcome_of(node) != 0) return;
    for (uint32_t outcome = open.outcomes; outcome-- > 1;) {
      additions_.push_back(
          {node.parent, fork, thread_of(node), outcome, place_of(node), false, 0, 0});
    }
    return;
  }
  for (uint32_t outcome = open.outcomes; outcome-- > 0;) {
    if (outcome != open.outcome) {
      additions_.push_back({owner_of(fork.step), fork, fork.thread, outcome, 0, false, 0, 0});
    }
  }
}

// The last step may have ended the execution while others could go on: see BacktrackLists. Whoever
// was added after its thread, and passed it over, is then added again. The exit is known to do so,
// but handlers and destructors may make steps behind it: then the last of these does.
void ReducedSearch::learn_end(const causality::Observation& observation) {
  ending_step_ = wire::kNoStep;
  const wire::Result& result = observation.result();
  uint32_t last = observation.last().step;
  uint32_t thread = observation.last().thread;
  bool failed = result.ending == wire::Ending::failed && result.failure != wire::Failure::deadlock;
  bool given_up = result.ending == wire::Ending::pruned;
  bool left = result.ending == wire::Ending::finished;
  if ((!failed && !given_up && !left) || wire::depends_on_all(observation.last_op())) return;
  ending_step_ = last;
  if (thread >= wire::kSleepers) return;
  uint32_t owner = owner_of(last);
  BacktrackLists::List list = lists_.find(owner, last);
  if (list.has_failed(thread) || (given_up && list.has_mark(thread))) return;
  std::vector<uint32_t> later;
  uint32_t own = thread;
  uint32_t seen = 0;
  bool found = false;
  list.for_each(list.count(), [&](uint32_t entry) {
    if (seen++ == 0) own = entry;
    if (found && !BacktrackLists::is_mark(entry)) later.push_back(entry);
    found |= entry == thread;
  });
  lists_.mark_end(owner, last, own, thread, !given_up);
  if (given_up || !sleep_sets_) return;
  for (uint32_t other : later) {
    uint32_t place = lists_.find(owner, last).count();
    lists_.append(owner, last, own, other);
    additions_.push_back({owner, observation.last(), other, 0, place, false, 0, 0});
  }
}

// Whether a thread that will do has been added at the race's first step. Nothing comes after a step
// that ends an execution: what was thought to be covered by it, before it was run, is so by all
// others that can go there.
bool ReducedSearch::is_covered(const causality::Observation& observation, uint32_t reversal) const {
  uint32_t step = observation.reversal_step(reversal);
  BacktrackLists::List list = lists_.find(owner_of(step), step);
  bool found = false;
  list.for_each(list.count(), [&](uint32_t thread) {
    if (found || BacktrackLists::is_mark(thread)) return;
    bool strict = step == ending_step_ || thread >= wire::kSleepers || list.has_mark(thread);
    found = strict ? observation.is_initial(reversal, thread)
                   : observation.is_weak_initial(reversal, thread);
  });
  return found;
}

void ReducedSearch::reverse(const wire::Reversal& reversal,
                            std::span<const wire::WakeupStep> wakeup) {
  uint32_t owner = owner_of(reversal.fork.step);
  uint32_t step = reversal.fork.step;
  uint32_t place = std::max(1u, lists_.find(owner, step).count());
  lists_.append(owner, step, reversal.fork.thread, reversal.thread);
  auto first = static_cast<uint32_t>(wakeup_.size());
  wakeup_.insert(wakeup_.end(), wakeup.begin(), wakeup.end());
  additions_.push_back({owner, reversal.fork, reversal.thread, 0, place, reversal.conservative != 0,
                        first, static_cast<uint32_t>(wakeup.size())});
}

void ReducedSearch::add_all(uint32_t index, causality::Observation& observation) {
  for (const wire::OpenStep& open : observation.open_steps()) add_outcomes(index, open);
  learn_end(observation);
  for (uint32_t i = 0; i < observation.reversal_count(); ++i) {
    if (is_covered(observation, i)) continue;
    wire::Reversal reversal = observation.reversal(i);
    reverse(reversal, observation.wakeup(reversal));
  }
}

// What the observation tells of is this execution's alone: nothing is known of others, and nobody
// sleeps.
void ReducedSearch::add_children(causality::Observation& observation) {
  for (uint32_t i = 0; i < observation.reversal_count(); ++i) {
    wire::Reversal child = observation.reversal(i);
    std::span<const wire::WakeupStep> schedule = observation.wakeup(child);
    auto first = static_cast<uint32_t>(wakeup_.size());
    wakeup_.insert(wakeup_.end(), schedule.begin(), schedule.end());
    additions_.push_back({owner_of(child.fork.step), child.fork, child.thread, 0, 0, false, first,
                          static_cast<uint32_t>(schedule.size())});
  }
}

// Where one cannot be told, the search is that of source sets: with the root's execution it goes
// on, after any other it begins again.
void ReducedSearch::learn_lineage(uint32_t index, causality::Observation& observation) {
  switch (observation.lineage()) {
    case wire::Lineage::told:
      return add_children(observation);
    case wire::Lineage::redundant:
      return;
    case wire::Lineage::none:
    case wire::Lineage::foreign:
      by_lineage_ = false;
      if (index != root_) {
        frontier_.begin_again();
        root_ = ExecutionTree::kNone;
      } else if (observation.has_reversals()) {
        add_all(index, observation);
      }
  }
}

uint32_t ReducedSearch::root_of(uint32_t index) const {
  while (tree_[index].parent != ExecutionTree::kNone) index = tree_[index].parent;
  return index;
}

Key ReducedSearch::key_of(const Addition& addition) {
  const wire::Fork& fork = addition.fork;
  bool preempts = fork.may_go_on != 0 && fork.thread_before != addition.thread;
  Candidate candidate{};
  candidate.step = fork.step;
  candidate.choice = addition.thread << 8 | addition.outcome;
  candidate.thread = addition.thread;
  candidate.check = fork.check;
  candidate.preemptions = fork.preemptions + (preempts ? 1 : 0);
  candidate.preempts = preempts;
  candidate.worth =
      addition.conservative ? causality::Worth::conservative : causality::Worth::reverses;
  return order_.key_of(candidate);
}

// The additions go into the fringe, the deepest last: among equals it is then the first to be run.
void ReducedSearch::push(const causality::Observation& observation) {
  std::stable_sort(additions_.begin(), additions_.end(),
                   [](const Addition& a, const Addition& b) { return a.fork.step < b.fork.step; });
  bool ordered = !order_.empty();
  if (order_.needs_whole() && !additions_.empty()) order_.look_at(observation.execution());
  for (const Addition& addition : additions_) {
    tree_.keep(addition.owner, 1);
    Entry entry{addition.owner, addition.fork.step, addition.fork.check,
                static_cast<uint16_t>(addition.thread + 1), pack(addition.place, addition.outcome)};
    // Each step of it takes what is there so far as a node of its own, whose one successor it is.
    for (uint32_t i = 0; i < addition.wakeup_count; ++i) {
      const wire::WakeupStep& wish = wakeup_[addition.first_wakeup + i];
      entry.parent = tree_.add(entry.parent, entry.step, entry.choice, entry.extra);
      entry.step = wish.step;
      entry.choice = static_cast<uint16_t>((wish.thread + 1) | kWish);
      entry.extra = pack(0, wish.outcome);
    }
    frontier_.fringe().push(ordered ? key_of(addition) : Key{}, entry);
  }
  additions_.clear();
  wakeup_.clear();
}

void ReducedSearch::release(uint32_t index) {
  for (uint32_t i = index; i != ExecutionTree::kNone && tree_[i].live == 1; i = tree_[i].parent) {
    lists_.drop(i);
  }
  tree_.release(index);
}

void ReducedSearch::learn(const pool::Plan& plan, causality::Observation& observation) {
  auto index = static_cast<uint32_t>(plan.token);
  const trace::Execution& execution = observation.execution();
  if (execution.is_whole() && execution.result.thread_count > kMaxThreads) {
    throw UserError(fmt::format(
        "an execution has more than {} threads: too many for --reduce dpor; leave it out",
        kMaxThreads));
  }
  // One that was under way when the search began again has nothing more to tell.
  bool is_of_now = root_of(index) == root_;
  if (is_of_now && by_lineage_) {
    find_path(index);
    learn_lineage(index, observation);
    push(observation);
  } else if (is_of_now && observation.has_reversals()) {
    find_path(index);
    add_all(index, observation);
    list_bytes_peak_ = std::max(list_bytes_peak_, lists_.bytes());
    push(observation);
  }
  release(index);
  frontier_.executed(execution.result.step_count, lists_.bytes());
}

// Races that have not been seen yet may add schedules anywhere, and more the further the search is
// from its end: how many there are cannot be told from those so far.
std::optional<Remaining> ReducedSearch::remaining() const {
  return Remaining{waiting(), std::nullopt};
}

TreeStatistics ReducedSearch::statistics() const {
  TreeStatistics statistics = frontier_.statistics();
  statistics.bytes_peak += list_bytes_peak_;
  return statistics;
}

void ReducedSearch::save(ByteWriter& out) const {
  lists_.save(out);
  frontier_.save(out);
  out.put(list_bytes_peak_);
  out.put(by_lineage_);
  out.put(root_);
}

void ReducedSearch::load(ByteReader& in) {
  lists_.load(in);
  frontier_.load(in, lists_.bytes());
  in.get(&list_bytes_peak_);
  in.get(&by_lineage_);
  in.get(&root_);
  for (uint32_t i = 0; i < tree_.end(); ++i) {
    const Node& node = tree_[i];
    if (!tree_.lives(i) || node.parent == ExecutionTree::kNone) continue;
    in.check(place_of(node) <= lists_.find(node.parent, node.step).count());
    in.check(!is_wish(node) || tree_[node.parent].parent != ExecutionTree::kNone);
  }
  frontier_.fringe().for_each([&](const Key&, const Entry& entry) {
    Node node{entry.parent, 1, entry.step, entry.choice, entry.extra};
    in.check(place_of(node) <= lists_.find(node.parent, node.step).count());
    in.check(!is_wish(node) || tree_[node.parent].parent != ExecutionTree::kNone);
  });
}

bool ReducedSearch::knows(const pool::Plan& plan) const {
  return tree_.lives(plan.token) && plan.hint_count == 0 &&
         plan.decision_count == decision_count(static_cast<uint32_t>(plan.token));
}

uint32_t ReducedSearch::decision_count(uint32_t index) const {
  uint32_t count = 0;
  for (; tree_[index].parent != ExecutionTree::kNone; index = tree_[index].parent) {
    count += 1 + static_cast<uint32_t>(std::popcount(sleepers(tree_[index])));
  }
  return count;
}

}  // namespace heddle::explore
