#include "explore/staged_search.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace heddle::explore {

namespace {

std::string stage_name(std::optional<uint32_t> preemptions) {
  if (!preemptions) return "any number of preemptions";
  if (*preemptions == 0) return "no preemptions";
  return fmt::format("at most {} preemption{}", *preemptions, *preemptions == 1 ? "" : "s");
}

// The samples count executions of all searches together; of peaks the highest counts, since each
// search has given up what the one before has held.
void append(TreeStatistics* all, const TreeStatistics& more, uint64_t executions_before) {
  all->nodes_created += more.nodes_created;
  all->nodes_peak = std::max(all->nodes_peak, more.nodes_peak);
  all->bytes_peak = std::max(all->bytes_peak, more.bytes_peak);
  all->spilled_bytes_peak = std::max(all->spilled_bytes_peak, more.spilled_bytes_peak);
  all->uncompressed_bytes_peak =
      std::max(all->uncompressed_bytes_peak, more.uncompressed_bytes_peak);
  for (TreeSample sample : more.samples) {
    sample.executions += executions_before;
    all->samples.push_back(sample);
  }
}

}  // namespace

StagedSearch::StagedSearch(const std::vector<StrategyOptions>& searches, Make make)
    : searches_(searches), make_(make), search_(make(searches.front())) {
  begin_stage();
}

void StagedSearch::begin_stage() {
  const StrategyOptions& options = searches_[number_];
  Stage stage;
  stage.preemptions = search_->bound() ? search_->bound() : options.preemptions;
  stage.name = stage_name(stage.preemptions);
  stage.order = fmt::format("{}", fmt::join(options.order, ","));
  stage.reduce = options.reduce;
  stages_.push_back(std::move(stage));
  executions_before_ = executions_;
  stage_begin_ = Clock::now();
}

Stage StagedSearch::with_figures(Stage stage) const {
  stage.executions = executions_ - executions_before_;
  stage.complete =
      !has_gap_ && (search_->bound() ? search_->bound_is_complete() : search_->complete());
  stage.seconds = std::chrono::duration<double>(Clock::now() - stage_begin_).count();
  return stage;
}

std::optional<pool::Plan> StagedSearch::next() {
  // Asked for more, the search goes on to the next bound.
  if (search_->bound_is_complete() && !search_->complete()) {
    stages_.back() = with_figures(stages_.back());
    std::optional<pool::Plan> plan = search_->next();
    begin_stage();
    return plan;
  }
  std::optional<pool::Plan> plan = search_->next();
  if (plan.has_value() || !search_->complete() || !needs_next()) return plan;
  stages_.back() = with_figures(stages_.back());
  append(&statistics_, search_->statistics(), executions_before_search_);
  executions_before_search_ = executions_;
  search_ = make_(searches_[++number_]);
  begin_stage();
  return search_->next();
}

void StagedSearch::learn(const pool::Plan& plan, causality::Observation& observation) {
  ++executions_;
  const trace::Execution& execution = observation.execution();
  bool is_cut = execution.result.ending == wire::Ending::cut;
  bool is_lost = execution.failed() && execution.steps.empty();
  has_gap_ = has_gap_ || is_cut || is_lost;
  search_->learn(plan, observation);
}

std::vector<Stage> StagedSearch::stages() const {
  std::vector<Stage> stages = stages_;
  stages.back() = with_figures(stages.back());
  return stages;
}

// Of a search that has not begun nothing is known, nor whether it is needed.
std::optional<Remaining> StagedSearch::remaining() const {
  std::optional<Remaining> remaining = search_->remaining();
  bool may_go_on = needs_next() || (number_ + 1 < searches_.size() && !search_->complete());
  if (remaining && may_go_on) remaining->range = std::nullopt;
  return remaining;
}

TreeStatistics StagedSearch::statistics() const {
  TreeStatistics all = statistics_;
  append(&all, search_->statistics(), executions_before_search_);
  return all;
}

void StagedSearch::save(ByteWriter& out) const {
  out.put(number_);
  std::vector<Stage> all = stages();
  out.put<uint64_t>(all.size());
  for (const Stage& stage : all) {
    out.put_text(stage.name);
    out.put_text(stage.order);
    out.put(stage.preemptions);
    out.put(stage.reduce);
    out.put(stage.executions);
    out.put(stage.complete);
    out.put(stage.seconds);
  }
  out.put(executions_);
  out.put(executions_before_);
  out.put(executions_before_search_);
  out.put(has_gap_);
  out.put(statistics_.nodes_created);
  out.put(statistics_.nodes_peak);
  out.put(statistics_.bytes_peak);
  out.put(statistics_.spilled_bytes_peak);
  out.put(statistics_.uncompressed_bytes_peak);
  out.put_all(statistics_.samples);
  search_->save(out);
}

void StagedSearch::load(ByteReader& in) {
  in.get(&number_);
  in.check(number_ < searches_.size());
  stages_.resize(in.get_count());
  in.check(!stages_.empty());
  for (Stage& stage : stages_) {
    stage.name = in.get_text();
    stage.order = in.get_text();
    in.get(&stage.preemptions);
    in.get(&stage.reduce);
    in.get(&stage.executions);
    in.get(&stage.complete);
    in.get(&stage.seconds);
  }
  std::chrono::duration<double> passed(stages_.back().seconds);
  stage_begin_ = Clock::now() - std::chrono::duration_cast<Clock::duration>(passed);
  in.get(&executions_);
  in.get(&executions_before_);
  in.get(&executions_before_search_);
  in.get(&has_gap_);
  in.get(&statistics_.nodes_created);
  in.get(&statistics_.nodes_peak);
  in.get(&statistics_.bytes_peak);
  in.get(&statistics_.spilled_bytes_peak);
  in.get(&statistics_.uncompressed_bytes_peak);
  statistics_.samples = in.get_all<TreeSample>();
  search_ = make_(searches_.at(number_));
  search_->load(in);
}

}  // namespace heddle::explore
