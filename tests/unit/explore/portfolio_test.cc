#include "explore/portfolio.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <deque>
#include <map>

#include "explore/bytes_in_memory.h"
#include "explore/sample/sampler.h"
#include "explore/search_fixture.h"
#include "explore/staged_search.h"

namespace heddle::testing {
namespace {

using explore::Portfolio;

// As many executions as are asked for, each of which makes two others known until there are as
// many.
class Systematic final : public explore::Strategy {
 public:
  explicit Systematic(uint64_t schedules) : schedules_(schedules) {}

  uint32_t lag() const override { return 8; }
  std::optional<pool::Plan> next() override {
    if (issued_ == known_) return std::nullopt;
    pool::Plan plan;
    plan.token = issued_++;
    return plan;
  }
  void learn(const pool::Plan&, causality::Observation&) override {
    ++learnt_;
    known_ = std::min(known_ + 2, schedules_);
  }
  bool complete() const override { return learnt_ == schedules_; }
  std::optional<explore::Remaining> remaining() const override {
    return explore::Remaining{waiting(), std::nullopt};
  }
  uint64_t waiting() const override { return known_ - learnt_; }
  void write_decisions(const pool::Plan&, wire::Decision*) const override {}
  void save(explore::ByteWriter& out) const override {
    out.put(issued_);
    out.put(known_);
    out.put(learnt_);
  }
  void load(explore::ByteReader& in) override {
    in.get(&issued_);
    in.get(&known_);
    in.get(&learnt_);
  }

 private:
  const uint64_t schedules_;
  uint64_t issued_ = 0;
  uint64_t known_ = 1;
  uint64_t learnt_ = 0;
};

std::vector<Portfolio::Member> members() {
  std::vector<Portfolio::Member> all;
  auto add = [&](const char* name, uint64_t seed, double weight) {
    auto sampler = std::make_unique<explore::Sampler>(wire::Decider::uniform, seed);
    all.push_back({name, std::move(sampler), weight});
  };
  add("always new", 1, 1);
  add("always the same", 2, 1);
  add("twice", 3, 2);
  return all;
}

Portfolio portfolio(uint64_t schedules) {
  return {std::make_unique<Systematic>(schedules), members()};
}

// As Search drives a strategy, with a model in the place of the pool.
class Driver {
 public:
  explicit Driver(Portfolio strategy) : strategy_(std::move(strategy)) {}

  struct Line {
    uint64_t token;
    uint64_t seed;
    bool operator==(const Line&) const = default;
  };

  // Until nothing is under way, or so many plans have been executed.
  void run(uint64_t most) {
    for (; executed_ < most; ++executed_) {
      while (under_way_.size() < strategy_.lag()) {
        std::optional<pool::Plan> plan = strategy_.next();
        if (!plan) break;
        lines_.push_back({plan->token, plan->seed});
        (strategy_.sampler_of(*plan).empty() ? systematic_ : samples_) += 1;
        // The share: a quarter of what has been run and is known to wait, which is never more than
        // a quarter of all; three for each plan of the systematic part that has been executed.
        EXPECT_LE(samples_, learnt_ * 3);
        EXPECT_LE(samples_ * 4, learnt_ + strategy_.remaining()->waiting + 4);
        under_way_.push_back(*plan);
      }
      if (under_way_.empty()) return;
      learn(under_way_.front());
      under_way_.pop_front();
    }
  }
  // To another strategy, by way of bytes. What is under way is the driver's.
  void move_to(Portfolio other) {
    explore::BytesInMemory bytes;
    strategy_.save(bytes);
    other.load(bytes);
    EXPECT_TRUE(bytes.all_read());
    strategy_ = std::move(other);
  }

  const std::vector<Line>& lines() const { return lines_; }
  uint64_t samples() const { return samples_; }
  uint64_t systematic() const { return systematic_; }
  Portfolio& strategy() { return strategy_; }

 private:
  void learn(const pool::Plan& plan) {
    causality::Execution execution;
    std::string sampler = strategy_.sampler_of(plan);
    execution.result.fingerprint = sampler == "always the same" ? 1 : plan.token + 2;
    learnt_ += sampler.empty() ? 1 : 0;
    causality::Observation observation;
    observation.look_at(plan, execution, {});
    strategy_.learn(plan, observation);
  }

  Portfolio strategy_;
  std::deque<pool::Plan> under_way_;
  std::vector<Line> lines_;
  uint64_t executed_ = 0;
  uint64_t systematic_ = 0;
  uint64_t samples_ = 0;
  uint64_t learnt_ = 0;  // of the systematic part
};

constexpr uint64_t kNoEnd = ~uint64_t{0};

// Driver looks after each plan. A search that knows of no more than 24 schedules has no samples.
TEST(Portfolio, SamplesAreAShare) {
  for (uint64_t schedules : {1, 5, 23, 24, 40, 100, 1'000, 10'000}) {
    Driver driver(portfolio(schedules));
    driver.run(kNoEnd);
    EXPECT_TRUE(driver.strategy().complete());
    EXPECT_EQ(driver.systematic(), schedules);
    if (schedules < 24) {
      EXPECT_EQ(driver.samples(), 0u) << schedules;
    } else {
      EXPECT_GT(driver.samples(), 0u) << schedules;
      EXPECT_LE(driver.samples(), schedules / 4) << schedules;
    }
    uint64_t told = 0;
    for (const explore::Sampled& sampled : driver.strategy().sampled()) told += sampled.executions;
    EXPECT_EQ(told, driver.samples());
  }
}

// They begin early: with all there is to know known after half of 1,000, a tenth of the samples is
// made in the first tenth of the executions.
TEST(Portfolio, SamplesBeginEarly) {
  Driver driver(portfolio(1'000));
  driver.run(100);
  EXPECT_GE(driver.samples(), 10u);
}

// A member goes by its weight, and by what of late was new: the one that brings nothing new ends at
// a tenth of the others' share.
TEST(Portfolio, WhoBringsNewOnesGoesMoreOften) {
  Driver driver(portfolio(20'000));
  driver.run(kNoEnd);
  std::map<std::string, explore::Sampled> sampled;
  for (const explore::Sampled& one : driver.strategy().sampled()) sampled[one.name] = one;
  // Only its first execution is unlike any before.
  EXPECT_EQ(sampled["always the same"].distinct, 1u);
  EXPECT_EQ(sampled["always new"].distinct, sampled["always new"].executions);
  double one = double(sampled["always new"].executions);
  EXPECT_NEAR(double(sampled["twice"].executions) / one, 2, 0.05);
  EXPECT_LT(double(sampled["always the same"].executions), 0.2 * one);
  EXPECT_GT(double(sampled["always the same"].executions), 0.05 * one);
}

// Wherever it is saved.
TEST(Portfolio, SavedAndLoadedItMakesTheSamePlans) {
  constexpr uint64_t kSchedules = 300;
  Driver whole(portfolio(kSchedules));
  whole.run(kNoEnd);
  for (uint64_t at : {1, 7, 30, 31, 32, 33, 77, 150, 299, 360}) {
    Driver driver(portfolio(kSchedules));
    driver.run(at);
    driver.move_to(portfolio(kSchedules));
    driver.run(kNoEnd);
    EXPECT_EQ(driver.lines(), whole.lines()) << at;
  }
}

// What is run, in a real search: by workers that are slow and fast, one or two of them.
struct Listed : Searched {
  std::vector<uint64_t> sequences;
  void each(const explore::Occurrence& what) override {
    sequences.push_back(what.outcome.execution.result.sequence);
  }
  bool wants_each() const override { return true; }
};

std::unique_ptr<explore::Strategy> best_first(const explore::StrategyOptions& options) {
  return explore::find_strategy("best-first").make(options);
}

Listed listed(const FakeProgram& program, uint32_t jobs) {
  Listed result;
  SearchSetup setup;
  setup.settings.workers = jobs;
  auto systematic = std::make_unique<explore::StagedSearch>(
      std::vector<explore::StrategyOptions>{explore::StrategyOptions()}, best_first);
  Portfolio strategy(std::move(systematic), members());
  pool::Pool pool(launch_of(program), setup.settings, strategy);
  explore::Search search(strategy, pool, setup.limits, result);
  result.end = search.run();
  return result;
}

TEST(Portfolio, TheSameExecutionsHoweverManyWorkers) {
  FakeProgram program{.steps = {3, 3, 2}};
  FakeProgram uneven = program;
  uneven.end = [](const std::vector<int>& order, wire::Region*) {
    if (order[0] == 1 && order[1] == 1) usleep(300);
    return FakeEnd();
  };
  Listed one = listed(program, 1);
  EXPECT_EQ(one.end, explore::SearchEnd::complete);
  // 8! / (3! 3! 2!) = 560 schedules, and samples: no more than a quarter.
  EXPECT_GT(one.sequences.size(), 560u);
  EXPECT_LE(one.sequences.size(), 560u + 560 / 4);
  EXPECT_EQ(listed(program, 2).sequences, one.sequences);
  EXPECT_EQ(listed(uneven, 3).sequences, one.sequences);
}

}  // namespace
}  // namespace heddle::testing
