#include "explore/best_first.h"

#include <algorithm>

namespace heddle::explore {

namespace {

using wire::kNoBound;
constexpr auto kUnweighed = static_cast<wire::Way>(causality::Worth::none);
constexpr uint32_t kMany = 0xffff;  // decisions: too many to be kept, they have to be counted
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
    : frontier_(options.directory, options.memory, Fringe::Holds::ranges),
      order_(order_of(options), options.seed, false, options.user),
      estimate_(estimate_of(options)),
      bound_by_bound_(options.bound_by_bound),
      preemption_bound_(options.preemptions.value_or(kNoBound)),
      delay_bound_(options.delays.value_or(kNoBound)),
      depth_(options.depth.value_or(wire::kNoStep)),
      is_shard_(options.shard.is_on()),
      cut_(options.shard),
      matches_(options.match),
      subtrees_(options) {}

BestFirst::BestFirst(const StrategyOptions& options, const Bundle& subtrees) : BestFirst(options) {
  if (subtrees.empty()) return;
  frontier_.begin_with(
      subtrees, [&](uint32_t parents, uint32_t choice) { return extra_of(parents, choice); });
}

// What is wanted of an execution.
uint32_t BestFirst::flags() const {
  uint32_t flags = wire::kWantSteps | wire::kObserveBranches;
  if (matches_) flags |= wire::kNoteStates;
  if (order_.by_partial_order()) flags |= wire::kWeigh;
  if (order_.needs_whole() || order_.by_partial_order()) {
    flags |= wire::kWantPending | wire::kWantOptions;
  }
  return flags;
}

pool::Plan BestFirst::usual_plan() const {
  pool::Plan plan;
  plan.flags = flags();
  plan.bound = preemption_bound_;
  plan.depth = depth_;
  return plan;
}

std::optional<pool::Plan> BestFirst::next() {
  if (std::optional<uint32_t> root = frontier_.take_root()) {
    pool::Plan plan = usual_plan();
    plan.token = *root;
    return plan;
  }
  if (subtree_is_due()) return next_subtree();
  if (nothing_waits()) return std::nullopt;
  // The common executions come one at a time.
  bool alone = cut_.is_open() || (bound_by_bound_ && !best_is_within_bound());
  if (alone && frontier_.under_way() > 0) return std::nullopt;
  if (bound_by_bound_ && !best_is_within_bound()) bound_ = best_bound();
  return plan_of(cut_.is_open() ? frontier_.begin(cut_.pop()) : frontier_.take());
}

pool::Plan BestFirst::plan_of(const Entry& entry) {
  subtrees_.gave_one();
  pool::Plan plan = usual_plan();
  ExecutionTree& tree = frontier_.tree();
  uint32_t extra = extra_of(tree[entry.parent].extra, entry.choice);
  uint32_t index = tree.add(entry.parent, entry.step, entry.choice, extra);
  plan.token = index;
  if (order_.by_partial_order() && !order_.needs_whole()) plan.flags |= wire::kWorkerLooks;
  plan.first_step = entry.step + 1;
  plan.check_step = entry.step;
  plan.check = entry.check;
  plan.decision_count =
      delay_bound_ == kNoBound && extra < kMany ? extra : tree.decision_count(index);
  return plan;
}

// Bound by bound, subtrees are those of the last bound: of one before, schedules with more
// preemptions would have to wait.
bool BestFirst::subtree_is_due() const {
  if (nothing_waits()) return !subtrees_.none_waits();
  bool is_last = !bound_by_bound_ || (bound_ == preemption_bound_ && best_is_within_bound());
  return subtrees_.is_due() && is_last;
}

std::optional<pool::Plan> BestFirst::next_subtree() {
  if (!subtrees_.has_room()) return std::nullopt;
  if (subtrees_.none_waits()) {
    if (nothing_waits()) return std::nullopt;
    Entry entry = frontier_.give_away();
    ExecutionTree& tree = frontier_.tree();
    uint32_t depth = tree.decision_count(entry.parent);
    if (!Subtrees::fits(depth)) return plan_of(frontier_.begin(entry));
    Subtrees::Unit unit;
    unit.decisions.resize(depth);
    tree.write_decisions(entry.parent, depth, unit.decisions.data());
    unit.entries.push_back({depth, entry.step, entry.check, entry.choice, entry.choice});
    tree.release(entry.parent);
    subtrees_.add(std::move(unit));
  }
  return subtrees_.take();
}

void BestFirst::learn_subtree(const pool::Plan& plan, const causality::Subtree& subtree) {
  held_back_ = held_back_ || subtree.report.held_back != 0;
  std::optional<Subtrees::Unit> rest = subtrees_.learn(plan, subtree, frontier_.fringe().entries());
  if (rest) graft(*rest);
  frontier_.searched(subtree.report.executions, subtree.report.all_steps);
}

// What is left of a subtree goes back to the fringe, before all others. Its way down the tree is
// made once more.
void BestFirst::graft(const Subtrees::Unit& unit) {
  ExecutionTree& tree = frontier_.tree();
  uint32_t depth = unit.entries.back().depth;
  std::vector<uint32_t> nodes = {tree.add_root()};
  for (uint32_t i = 0; i < depth; ++i) {
    const wire::Decision& decision = unit.decisions[i];
    uint32_t extra = extra_of(tree[nodes.back()].extra, decision.choice);
    tree.keep(nodes.back(), 1);
    nodes.push_back(tree.add(nodes.back(), decision.step, decision.choice, extra));
  }
  Key first{};
  if (bound_by_bound_) first[0] = static_cast<int32_t>(preemption_bound_);
  for (const wire::SubtreeEntry& entry : unit.entries) {
    uint32_t parent = nodes[entry.depth];
    tree.keep(parent, entry.last - entry.choice + 1u);
    frontier_.fringe().push(first, {parent, entry.step, entry.check, entry.choice, entry.last});
  }
  for (uint32_t node : nodes) tree.release(node);
  tree.count(-static_cast<int64_t>(nodes.size()));
}

std::optional<uint32_t> BestFirst::bound() const {
  return bound_by_bound_ ? std::optional(bound_) : std::nullopt;
}

bool BestFirst::bound_is_complete() const {
  return bound_by_bound_ && frontier_.is_begun() && frontier_.under_way() == 0 &&
         subtrees_.empty() && (nothing_waits() || !best_is_within_bound());
}

void BestFirst::learn(const pool::Plan& plan, causality::Observation& observation) {
  auto index = static_cast<uint32_t>(plan.token);
  subtrees_.executed();
  if (observation.execution().failed()) subtrees_.failed(observation.result().failure_key);
  uint64_t before = frontier_.fringe().size() + cut_.size();
  add_successors(index, observation);
  if (!subtrees_.begun()) {
    estimate_.finish();
  } else {
    ++since_estimate_;
  }
  uint64_t added = frontier_.fringe().size() + cut_.size() - before;
  frontier_.tree().keep(index, static_cast<uint32_t>(added));
  frontier_.tree().release(index);
  frontier_.executed(observation.result().step_count, 0);
  if (!cut_.is_open()) return;
  cut_.executed();
  if (cut_.is_due()) divide();
}

// What waits is dealt out: the schedules of the other parts are given up.
void BestFirst::divide() {
  is_divided_ = !cut_.empty();
  cut_.deal([&](const Key& key, const Entry& entry) { frontier_.fringe().push(key, entry); },
            [&](const Entry& entry) { frontier_.tree().release(entry.parent); });
}

// Successors are added by rising step, and by falling choice: the fringe then gives the deepest
// first, and its choices in order.
void BestFirst::add_successors(uint32_t index, const causality::Observation& observation) {
  const Node& node = frontier_.tree()[index];
  uint32_t extra = node.extra;
  bool counts_preemptions = preemption_bound_ != kNoBound || !order_.empty();
  uint32_t preemptions = counts_preemptions ? observation.preemptions() : 0;
  uint32_t level = delay_bound_ != kNoBound ? extra : preemptions;
  if (!subtrees_.begun()) {
    estimate_.executed(node.step, level, node.step + 1, observation.end());
  }
  held_back_ = held_back_ || observation.held_back();
  std::span<const uint16_t> threads = observation.execution().option_threads;
  std::span<const wire::Way> ways = observation.ways();
  bool looked = !order_.needs_whole();
  if (matches_) matcher_.look_at(observation.execution());
  for (wire::Branch branch : observation.branches()) {
    // All that could come from there has been added before.
    if (matches_ && !matcher_.visit(branch, StateMatcher::Left{preemption_bound_ != kNoBound,
                                                               delay_bound_ != kNoBound, extra,
                                                               depth_ != wire::kNoStep})) {
      return;
    }
    std::span<const wire::Way> own = ways.first(ways.empty() ? 0 : branch.options - 1u);
    ways = ways.subspan(own.size());
    branch.options = static_cast<uint16_t>(delays_permit(branch.options, extra));
    if (branch.options <= 1) continue;
    if (!subtrees_.begun()) count_successors(branch, level);
    // Most executions of a bounded search have no successors but a few at their end.
    if (!looked) order_.look_at(observation.execution());
    looked = true;
    add(index, branch, own, threads);
  }
}

uint32_t BestFirst::delays_permit(uint32_t options, uint32_t extra) const {
  return delay_bound_ == kNoBound ? options : std::min(options, delay_bound_ - extra + 1);
}

void BestFirst::count_successors(const wire::Branch& branch, uint32_t level) {
  uint32_t limit = branch.options;
  if (delay_bound_ != kNoBound) {
    for (uint32_t choice = 1; choice < limit; ++choice) {
      if (choice != branch.choice) estimate_.added(branch.step, level, choice, 1);
    }
    return;
  }
  bool bounded = preemption_bound_ != kNoBound;
  uint32_t free = bounded ? std::clamp<uint32_t>(branch.free_options, 1, limit) : limit;
  uint32_t same = free - 1;
  uint32_t raised = limit - free;
  if (branch.choice > 0 && branch.choice < limit) --(branch.choice < free ? same : raised);
  if (same > 0) estimate_.added(branch.step, level, 0, same);
  if (raised > 0) estimate_.added(branch.step, level, 1, raised);
}

uint32_t BestFirst::extra_of(uint32_t parents, uint32_t choice) const {
  return delay_bound_ == kNoBound ? std::min(parents + 1, kMany) : parents + choice;
}

void BestFirst::add(uint32_t index, const wire::Branch& branch, std::span<const wire::Way> ways,
                    std::span<const uint16_t> threads) {
  Key key{};
  wire::Way way = kUnweighed;
  uint32_t last = 0;  // of the choices that share an entry; 0: there are none yet
  uint32_t choice = branch.options;
  auto push_range = [&] {
    if (last == 0) return;
    push(key, Entry{index, branch.step, branch.check, static_cast<uint16_t>(choice + 1),
                    static_cast<uint16_t>(last)});
    last = 0;
  };
  while (--choice > 0) {
    if (choice == branch.choice) {
      push_range();
      continue;
    }
    wire::Way own = ways.empty() ? kUnweighed : ways[choice - 1];
    bool is_alike = last != 0 && own == way && choice + 1 != branch.free_options;
    if (!order_.empty() && (!is_alike || order_.by_choice())) {
      Key next = key_of(branch, choice, own, threads);
      if (!same(key, next)) push_range();
      key = next;
    }
    way = own;
    if (last == 0) last = choice;
  }
  push_range();
}

Key BestFirst::key_of(const wire::Branch& branch, uint32_t choice, wire::Way way,
                      std::span<const uint16_t> threads) {
  uint64_t option = uint64_t{branch.first_option} + choice;
  bool preempts = choice >= branch.free_options;
  Candidate candidate{};
  candidate.step = branch.step;
  candidate.choice = choice;
  candidate.thread = option < threads.size() ? threads[option] : wire::kNoThread;
  candidate.check = branch.check;
  candidate.preemptions = branch.preemptions + (preempts ? 1 : 0);
  candidate.preempts = preempts;
  candidate.worth = static_cast<causality::Worth>(way & wire::kWorthMask);
  candidate.asleep = (way & wire::kAsleep) != 0;
  return order_.key_of(candidate);
}

std::optional<Remaining> BestFirst::remaining() const {
  // What the other parts have is in the estimate, too.
  if (is_shard_) return Remaining{waiting(), std::nullopt};
  return Remaining{waiting(), less_subtrees(estimate_.remaining())};
}

std::optional<Range> BestFirst::remaining_in_stage() const {
  if (is_shard_) return std::nullopt;
  return less_subtrees(bound_by_bound_ ? estimate_.remaining(bound_) : estimate_.remaining());
}

// The estimate is that of the moment when the first subtree was handed out: of those it learns
// nothing.
std::optional<Range> BestFirst::less_subtrees(std::optional<Range> range) const {
  if (!range || !subtrees_.begun()) return range;
  auto done = static_cast<double>(since_estimate_ + subtrees_.executions());
  auto least = static_cast<double>(waiting());
  for (double* number : {&range->low, &range->estimate, &range->high}) {
    *number = std::max(*number - done, least);
  }
  return range;
}

void BestFirst::write_decisions(const pool::Plan& plan, wire::Decision* out) const {
  if (Subtrees::is_subtree(plan)) return subtrees_.write_decisions(plan, out);
  frontier_.tree().write_decisions(static_cast<uint32_t>(plan.token), plan.decision_count, out);
}

void BestFirst::save(ByteWriter& out) const {
  out.put(held_back_);
  out.put(bound_);
  out.put(is_divided_);
  cut_.save(out);
  frontier_.save(out);
  estimate_.save(out);
  matcher_.save(out);
  subtrees_.save(out);
  out.put(since_estimate_);
}

void BestFirst::load(ByteReader& in) {
  in.get(&held_back_);
  in.get(&bound_);
  in.get(&is_divided_);
  cut_.load(in);
  frontier_.load(in, 0, cut_.entries());
  estimate_.load(in);
  matcher_.load(in);
  subtrees_.load(in);
  in.get(&since_estimate_);
  // What is kept of a node is how many decisions it has, or as many as they cost.
  const ExecutionTree& tree = frontier_.tree();
  std::vector<uint32_t> depths = tree.depths();
  for (uint32_t i = 0; delay_bound_ == kNoBound && i < tree.end(); ++i) {
    in.check(tree[i].live == 0 || tree[i].extra == std::min(depths[i], kMany));
  }
}

bool BestFirst::knows(const pool::Plan& plan) const {
  if (Subtrees::is_subtree(plan)) return subtrees_.knows(plan);
  const ExecutionTree& tree = frontier_.tree();
  return tree.lives(plan.token) && plan.hint_count == 0 &&
         plan.decision_count == tree.decision_count(static_cast<uint32_t>(plan.token));
}

}  // namespace heddle::explore
