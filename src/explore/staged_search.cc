#include "explore/staged_search.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/check.h"

namespace heddle::explore {

namespace {

// A token of the last search, which has it as its own below this. The bits above are the
// portfolio's.
constexpr uint64_t kOfLast = uint64_t{1} << 55;

bool is_of_last(const pool::Plan& plan) { return (plan.token & kOfLast) != 0; }

pool::Plan own_plan(const pool::Plan& plan) {
  pool::Plan own = plan;
  own.token &= ~kOfLast;
  return own;
}

std::string stage_name(std::optional<uint32_t> preemptions) {
  if (!preemptions) return "any number of preemptions";
  if (*preemptions == 0) return "no preemptions";
  return fmt::format("at most {} preemption{}", *preemptions, *preemptions == 1 ? "" : "s");
}

// The samples count executions of both searches. If they have run side by side, what both held at
// their peaks may have been there at once; else the first had given up all when the last began.
void append(TreeStatistics* all, const TreeStatistics& more, uint64_t executions_before,
            bool together) {
  auto join = [&](uint64_t* one, uint64_t other) {
    *one = together ? *one + other : std::max(*one, other);
  };
  all->nodes_created += more.nodes_created;
  join(&all->nodes_peak, more.nodes_peak);
  join(&all->bytes_peak, more.bytes_peak);
  join(&all->spilled_bytes_peak, more.spilled_bytes_peak);
  join(&all->uncompressed_bytes_peak, more.uncompressed_bytes_peak);
  for (TreeSample sample : more.samples) {
    sample.executions += executions_before;
    all->samples.push_back(sample);
  }
  std::ranges::stable_sort(all->samples, {}, &TreeSample::executions);
}

void save_stages(const std::vector<Stage>& stages, ByteWriter& out) {
  out.put<uint64_t>(stages.size());
  for (const Stage& stage : stages) {
    out.put_text(stage.name);
    out.put_text(stage.order);
    out.put(stage.preemptions);
    out.put(stage.reduce);
    out.put(stage.executions);
    out.put(stage.common);
    out.put(stage.complete);
    out.put(stage.seconds);
  }
}

std::vector<Stage> load_stages(ByteReader& in) {
  std::vector<Stage> stages(in.get_count());
  in.check(!stages.empty());
  for (Stage& stage : stages) {
    stage.name = in.get_text();
    stage.order = in.get_text();
    in.get(&stage.preemptions);
    in.get(&stage.reduce);
    in.get(&stage.executions);
    in.get(&stage.common);
    in.get(&stage.complete);
    in.get(&stage.seconds);
  }
  return stages;
}

}  // namespace

Stage stage_within(const StrategyOptions& options, std::optional<uint32_t> preemptions) {
  Stage stage;
  stage.preemptions = preemptions;
  stage.name = stage_name(preemptions);
  stage.order = fmt::format("{}", fmt::join(options.order, ","));
  stage.reduce = options.reduce;
  return stage;
}

StagedSearch::StagedSearch(const std::vector<StrategyOptions>& searches, Make make)
    : searches_(searches), make_(make) {
  HEDDLE_CHECK(searches_.size() == 1 || searches_.size() == 2);
  first_.search = make_(searches_.front());
  first_.begin_stage(searches_.front());
}

void StagedSearch::Part::begin_stage(const StrategyOptions& options) {
  stages.push_back(stage_within(options, search->bound() ? search->bound() : options.preemptions));
  executions_before = executions;
  common_before = common;
  begin = Clock::now();
}

Stage StagedSearch::Part::last_stage() const {
  Stage stage = stages.back();
  if (is_closed) return stage;
  stage.executions = executions - executions_before;
  stage.common = common - common_before;
  stage.complete = !has_gap && (search->bound() ? search->bound_is_complete() : search->complete());
  stage.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  return stage;
}

const StagedSearch::Part& StagedSearch::part_of(const pool::Plan& plan) const {
  return is_of_last(plan) ? last_ : first_;
}

bool StagedSearch::complete() const {
  if (last_.is_closed) return true;
  return first_.is_closed && (searches_.size() == 1 || first_is_enough());
}

bool StagedSearch::last_is_due() const {
  if (searches_.size() == 1 || last_.search) return false;
  if (first_.is_closed) return !first_is_enough();
  uint64_t alone = first_.executions - first_.common;
  return searches_.back().reduce && alone != 0 &&
         (alone >= kExecutionsAlone || first_.steps >= kStepsAlone);
}

std::optional<pool::Plan> StagedSearch::next() {
  if (complete()) return std::nullopt;
  if (last_is_due()) {
    last_.search = make_(searches_.back());
    executions_before_last_ = first_.executions;
    last_.begin_stage(searches_.back());
  }
  std::optional<pool::Plan> plan;
  if (lasts_due_ > 0) plan = next_of_last();
  if (!plan) plan = next_of_first();
  if (!plan) plan = next_of_last();
  // Those of a subtree are counted when it is known how many they are.
  if (plan && last_.search && plan->executions == 0) lasts_due_ += is_of_last(*plan) ? -1 : 1;
  return plan;
}

// Asked for more, the search goes on to the next bound.
std::optional<pool::Plan> StagedSearch::next_of_first() {
  if (first_.is_closed) return std::nullopt;
  bool goes_on = first_.search->bound_is_complete();
  if (goes_on) first_.stages.back() = first_.last_stage();
  std::optional<pool::Plan> plan = first_.search->next();
  if (goes_on) first_.begin_stage(searches_.front());
  return plan;
}

std::optional<pool::Plan> StagedSearch::next_of_last() {
  if (!last_.search) return std::nullopt;
  std::optional<pool::Plan> plan = last_.search->next();
  if (plan) plan->token |= kOfLast;
  return plan;
}

void StagedSearch::learn(const pool::Plan& plan, causality::Observation& observation) {
  Part& part = is_of_last(plan) ? last_ : first_;
  const trace::Execution& execution = observation.execution();
  bool is_cut = execution.result.ending == wire::Ending::cut;
  bool is_lost = execution.failed() && execution.steps.empty();
  ++part.executions;
  part.common += part.search->is_common(own_plan(plan)) ? 1 : 0;
  part.steps += execution.result.step_count;
  part.has_gap = part.has_gap || is_cut || is_lost;
  part.search->learn(own_plan(plan), observation);
  close_if_complete(&part);
}

void StagedSearch::learn_subtree(const pool::Plan& plan, const causality::Subtree& subtree) {
  Part& part = is_of_last(plan) ? last_ : first_;
  part.executions += subtree.report.executions;
  part.steps += subtree.report.all_steps;
  auto executions = static_cast<int64_t>(subtree.report.executions);
  if (last_.search) lasts_due_ += is_of_last(plan) ? -executions : executions;
  part.search->learn_subtree(own_plan(plan), subtree);
  close_if_complete(&part);
}

void StagedSearch::close_if_complete(Part* part) {
  if (!part->search->complete()) return;
  part->stages.back() = part->last_stage();
  part->is_closed = true;
}

void StagedSearch::write_decisions(const pool::Plan& plan, wire::Decision* out) const {
  part_of(plan).search->write_decisions(own_plan(plan), out);
}

bool StagedSearch::knows(const pool::Plan& plan) const {
  const Part& part = part_of(plan);
  return part.search && part.search->knows(own_plan(plan));
}

bool StagedSearch::needs_pending(const pool::Plan& plan) const {
  return part_of(plan).search->needs_pending(own_plan(plan));
}

bool StagedSearch::is_common(const pool::Plan& plan) const {
  return part_of(plan).search->is_common(own_plan(plan));
}

std::string StagedSearch::stage_of(const pool::Plan& plan) const {
  return part_of(plan).stages.back().name;
}

std::vector<Stage> StagedSearch::stages() const {
  std::vector<Stage> stages = first_.stages;
  stages.back() = first_.last_stage();
  if (last_.search) stages.push_back(last_.last_stage());
  return stages;
}

// Of a search that has not begun nothing is known, nor whether it is needed.
std::optional<Remaining> StagedSearch::remaining() const {
  std::optional<Remaining> remaining = latest().search->remaining();
  bool may_go_on = searches_.size() == 2 && !last_.search && !complete();
  if (remaining && may_go_on) remaining->range = std::nullopt;
  return remaining;
}

// What can be told of the last one, if it reduces, is nothing.
std::optional<Range> StagedSearch::remaining_in_stage() const {
  const Part& part = first_.is_closed ? latest() : first_;
  return part.search->remaining_in_stage();
}

TreeStatistics StagedSearch::statistics() const {
  TreeStatistics all = first_.search->statistics();
  if (!last_.search) return all;
  bool together = executions_before_last_ < first_.executions || !first_.is_closed;
  append(&all, last_.search->statistics(), executions_before_last_, together);
  return all;
}

void StagedSearch::save(ByteWriter& out) const {
  out.put<uint8_t>(last_.search != nullptr);
  for (const Part* part : {&first_, &last_}) {
    if (!part->search) continue;
    std::vector<Stage> stages = part->stages;
    stages.back() = part->last_stage();
    save_stages(stages, out);
    out.put(part->executions);
    out.put(part->steps);
    out.put(part->has_gap);
    out.put(part->executions_before);
    out.put(part->common);
    out.put(part->common_before);
    out.put(part->is_closed);
    part->search->save(out);
  }
  out.put(executions_before_last_);
  out.put(lasts_due_);
}

void StagedSearch::load(ByteReader& in) {
  if (in.get<uint8_t>() != 0) {
    in.check(searches_.size() == 2);
    last_.search = make_(searches_.back());
  }
  for (Part* part : {&first_, &last_}) {
    if (!part->search) continue;
    part->stages = load_stages(in);
    in.get(&part->executions);
    in.get(&part->steps);
    in.get(&part->has_gap);
    in.get(&part->executions_before);
    in.get(&part->common);
    in.get(&part->common_before);
    in.get(&part->is_closed);
    std::chrono::duration<double> passed(part->stages.back().seconds);
    part->begin = Clock::now() - std::chrono::duration_cast<Clock::duration>(passed);
    part->search->load(in);
  }
  in.get(&executions_before_last_);
  in.get(&lasts_due_);
}

}  // namespace heddle::explore
