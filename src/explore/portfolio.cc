#include "explore/portfolio.h"

#include <algorithm>

namespace heddle::explore {

namespace {

// A token is the member's own, with the number of the member above it; that of the systematic part
// has 0 there.
constexpr uint32_t kTokenBits = 56;
constexpr uint64_t kTokenMask = (uint64_t{1} << kTokenBits) - 1;

constexpr uint64_t kSamplesPerPlan = 3;
constexpr double kShare = 0.25;           // of what is run and waits, in all
constexpr uint64_t kFewest = 24;          // schedules; a search that has no more needs no samples
constexpr uint64_t kAhead = 4;            // of what was learnt, how much may be under way
constexpr double kLately = 1.0 / 32;      // weight of the last execution
constexpr double kLeast = 0.1;            // that every member gets, as novelty
constexpr uint64_t kMostSeen = 1u << 20;  // fingerprints

pool::Plan own_plan(const pool::Plan& plan) {
  pool::Plan own = plan;
  own.token &= kTokenMask;
  return own;
}

}  // namespace

Portfolio::Portfolio(std::unique_ptr<Strategy> systematic, std::vector<Member> members)
    : systematic_(std::move(systematic)), members_(std::move(members)), accounts_(members_.size()) {
  for (size_t i = 0; i < members_.size(); ++i) accounts_[i].turn = 1 / members_[i].weight;
}

bool Portfolio::is_sample(const pool::Plan& plan) const { return plan.token >> kTokenBits != 0; }
size_t Portfolio::member_of(const pool::Plan& plan) const {
  return static_cast<size_t>(plan.token >> kTokenBits) - 1;
}

bool Portfolio::may_sample() const {
  uint64_t known = learnt_ + systematic_->waiting();
  if (known < kFewest) return false;
  uint64_t most = std::min(kSamplesPerPlan * learnt_,
                           static_cast<uint64_t>(kShare * static_cast<double>(known)));
  return samples_ < most;
}

std::optional<pool::Plan> Portfolio::next() {
  uint64_t learnt = learnt_ + executed_;
  if (issued_ + samples_ - learnt > learnt / kAhead) return std::nullopt;
  if (!systematic_->complete() && may_sample()) {
    if (std::optional<pool::Plan> plan = sample()) return plan;
  }
  std::optional<pool::Plan> plan = systematic_->next();
  if (plan) ++issued_;
  return plan;
}

std::optional<pool::Plan> Portfolio::sample() {
  auto account = std::ranges::min_element(accounts_, {}, &Account::turn);
  auto number = static_cast<size_t>(account - accounts_.begin());
  std::optional<pool::Plan> plan = members_[number].sampler->next();
  if (!plan) return std::nullopt;
  plan->token |= (number + 1) << kTokenBits;
  account->turn += 1 / (members_[number].weight * std::max(account->novelty, kLeast));
  ++account->issued;
  ++samples_;
  return plan;
}

void Portfolio::learn(const pool::Plan& plan, causality::Observation& observation) {
  bool is_new =
      fingerprints_.size() < kMostSeen && fingerprints_.insert(observation.result().fingerprint);
  if (!is_sample(plan)) {
    ++learnt_;
    systematic_->learn(plan, observation);
    if (observation.result().ending == wire::Ending::finished) {
      for (Member& member : members_) {
        member.sampler->note_length(observation.result().step_count);
      }
    }
    return;
  }
  ++executed_;
  Account& account = accounts_[member_of(plan)];
  ++account.executions;
  account.distinct += is_new;
  account.novelty += ((is_new ? 1 : 0) - account.novelty) * kLately;
  members_[member_of(plan)].sampler->learn(own_plan(plan), observation);
}

void Portfolio::learn_subtree(const pool::Plan& plan, const causality::Subtree& subtree) {
  for (uint64_t fingerprint : subtree.fingerprints) {
    if (fingerprints_.size() < kMostSeen) fingerprints_.insert(fingerprint);
  }
  // As a plan it was one.
  learnt_ += subtree.report.executions;
  issued_ += subtree.report.executions - 1;
  systematic_->learn_subtree(plan, subtree);
  for (Member& member : members_) member.sampler->note_length(subtree.report.max_steps);
}

void Portfolio::write_decisions(const pool::Plan& plan, wire::Decision* out) const {
  if (!is_sample(plan)) return systematic_->write_decisions(plan, out);
  members_[member_of(plan)].sampler->write_decisions(own_plan(plan), out);
}

bool Portfolio::knows(const pool::Plan& plan) const {
  if (!is_sample(plan)) return systematic_->knows(plan);
  return member_of(plan) < members_.size() &&
         members_[member_of(plan)].sampler->knows(own_plan(plan));
}

std::string Portfolio::sampler_of(const pool::Plan& plan) const {
  return is_sample(plan) ? members_[member_of(plan)].name : "";
}

std::vector<Sampled> Portfolio::sampled() const {
  std::vector<Sampled> all;
  for (size_t i = 0; i < members_.size(); ++i) {
    const Account& account = accounts_[i];
    all.push_back({members_[i].name, account.executions, account.distinct});
  }
  return all;
}

void Portfolio::save(ByteWriter& out) const {
  out.put_all(accounts_);
  out.put(issued_);
  out.put(learnt_);
  out.put(samples_);
  out.put(executed_);
  fingerprints_.save(out);
  for (const Member& member : members_) member.sampler->save(out);
  systematic_->save(out);
}

void Portfolio::load(ByteReader& in) {
  accounts_ = in.get_all<Account>();
  in.check(accounts_.size() == members_.size());
  in.get(&issued_);
  in.get(&learnt_);
  in.get(&samples_);
  in.get(&executed_);
  fingerprints_.load(in);
  for (Member& member : members_) member.sampler->load(in);
  systematic_->load(in);
}

}  // namespace heddle::explore
