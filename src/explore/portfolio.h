// A portfolio: a systematic search, and samplers beside it, from the first executions on.
//
// What the search covers, and when it is complete, is the systematic part's alone. Samplers find
// what that one is late to come to: with many threads there are more orders of them without a
// preemption than anybody will ever run.
//
// How much they get: no more than three executions for each of the systematic part, and no more in
// all than a fraction of what that one has run and knows to be waiting. So they come in at once
// where the search is long, and a search that is short, or comes to its end, is hardly longer for
// them. Which of them: all in turn, the more often the more executions of late were unlike any
// before.
//
// All of it is a function of what was learnt, and by the numbers of plans: the same executions for
// every number of jobs.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "explore/sample/sampler.h"
#include "explore/seen_set.h"
#include "explore/strategy.h"

namespace heddle::explore {

class Portfolio final : public Strategy {
 public:
  struct Member {
    std::string name;
    std::unique_ptr<Sampler> sampler;
    double weight;  // how often it goes, among equals
  };

  Portfolio(std::unique_ptr<Strategy> systematic, std::vector<Member> members);

  uint32_t lag() const override { return systematic_->lag(); }
  std::optional<pool::Plan> next() override;
  void learn(const pool::Plan& plan, causality::Observation& observation) override;
  void learn_subtree(const pool::Plan& plan, const causality::Subtree& subtree) override;
  void write_decisions(const pool::Plan& plan, wire::Decision* out) const override;
  std::string sampler_of(const pool::Plan& plan) const override;
  std::vector<Sampled> sampled() const override;
  void save(ByteWriter& out) const override;
  void load(ByteReader& in) override;
  bool knows(const pool::Plan& plan) const override;

  // What is covered is what the systematic part covers.
  bool complete() const override { return systematic_->complete(); }
  bool needs_pending(const pool::Plan& plan) const override {
    return !is_sample(plan) && systematic_->needs_pending(plan);
  }
  bool held_back() const override { return systematic_->held_back(); }
  std::optional<uint32_t> bound() const override { return systematic_->bound(); }
  bool bound_is_complete() const override { return systematic_->bound_is_complete(); }
  bool is_common(const pool::Plan& plan) const override {
    return !is_sample(plan) && systematic_->is_common(plan);
  }
  bool is_divided() const override { return systematic_->is_divided(); }
  std::vector<Stage> stages() const override { return systematic_->stages(); }
  std::string stage_of(const pool::Plan& plan) const override {
    return is_sample(plan) ? "" : systematic_->stage_of(plan);
  }
  std::optional<Remaining> remaining() const override { return systematic_->remaining(); }
  uint64_t waiting() const override { return systematic_->waiting(); }
  std::optional<Range> remaining_in_stage() const override {
    return systematic_->remaining_in_stage();
  }
  TreeStatistics statistics() const override { return systematic_->statistics(); }

 private:
  struct Account {
    uint64_t issued = 0;
    uint64_t executions = 0;
    uint64_t distinct = 0;  // of these: unlike any before
    double novelty = 1;     // share of these, of late
    double turn = 0;        // the lowest is next
  };

  bool may_sample() const;
  std::optional<pool::Plan> sample();
  size_t member_of(const pool::Plan& plan) const;
  bool is_sample(const pool::Plan& plan) const;

  std::unique_ptr<Strategy> systematic_;
  std::vector<Member> members_;
  std::vector<Account> accounts_;  // of the members
  uint64_t issued_ = 0;            // plans of the systematic part; of a subtree, its executions
  uint64_t learnt_ = 0;            // … that have been executed
  uint64_t samples_ = 0;           // plans of the members
  uint64_t executed_ = 0;          // … that have been executed
  SeenSet fingerprints_;           // as long as it is not too large
};

}  // namespace heddle::explore
