#include "explore/strategies.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/check.h"
#include "base/error.h"
#include "explore/backtracking/backtracking.h"
#include "explore/best_first.h"
#include "explore/order.h"
#include "explore/portfolio.h"
#include "explore/reduction/reduced_search.h"
#include "explore/sample/pct.h"
#include "explore/sample/reads_from.h"
#include "explore/sample/sampler.h"
#include "explore/sample/surw.h"
#include "explore/staged_search.h"

namespace heddle::explore {

namespace {

std::unique_ptr<Strategy> make_best_first(const StrategyOptions& options) {
  if (options.reduce) return std::make_unique<ReducedSearch>(options);
  return std::make_unique<BestFirst>(options);
}

template <wire::Decider kDecider>
std::unique_ptr<Strategy> make_sampler(const StrategyOptions& options) {
  return std::make_unique<Sampler>(kDecider, options.seed);
}

std::unique_ptr<Strategy> make_pct(const StrategyOptions& options) {
  return std::make_unique<Pct>(options.seed, options.pct_depth, options.pct_depth);
}

std::unique_ptr<Strategy> make_surw(const StrategyOptions& options) {
  return std::make_unique<Surw>(options.seed);
}

std::unique_ptr<Strategy> make_reads_from(const StrategyOptions& options) {
  return std::make_unique<ReadsFrom>(options.seed);
}

std::unique_ptr<Strategy> make_backtracking(const StrategyOptions& options) {
  return std::make_unique<Backtracking>(options);
}

const std::array<StrategyRecord, 9> kStrategies = {{
    {"auto", 2, "ss,mdpor", false, true, make_best_first},
    {"dfs", std::nullopt, nullptr, false, false, make_best_first},
    {"best-first", 2, "ss,mdpor", false, false, make_best_first},
    {"random", std::nullopt, nullptr, true, false, make_sampler<wire::Decider::uniform>},
    {"pct", std::nullopt, nullptr, true, false, make_pct},
    {"pos", std::nullopt, nullptr, true, false, make_sampler<wire::Decider::pos>},
    {"surw", std::nullopt, nullptr, true, false, make_surw},
    {"rf", std::nullopt, nullptr, true, false, make_reads_from},
    {"backtrack", std::nullopt, nullptr, false, false, make_backtracking},
}};

// Those that run beside a search. Each has a seed of its own.
std::vector<Portfolio::Member> samplers(uint64_t seed) {
  std::vector<Portfolio::Member> members;
  auto add = [&](const char* name, double weight, std::unique_ptr<Strategy> sampler) {
    members.push_back({name, std::move(sampler), weight});
  };
  // The best on the programs of ./dev bench bugs goes most often.
  add("rf", 5, std::make_unique<ReadsFrom>(mix(seed, 1)));
  add("pos", 1, std::make_unique<Sampler>(wire::Decider::pos, mix(seed, 2)));
  add("pct", 1, std::make_unique<Pct>(mix(seed, 3), kUsualPctDepth - 1, kUsualPctDepth + 1));
  add("surw", 1, std::make_unique<Surw>(mix(seed, 4)));
  add("random", 1, std::make_unique<Sampler>(wire::Decider::uniform, mix(seed, 5)));
  return members;
}

}  // namespace

std::span<const StrategyRecord> strategies() { return kStrategies; }

std::unique_ptr<Strategy> make_strategy(const StrategyRecord& record,
                                        const std::vector<StrategyOptions>& stages) {
  if (record.staged) {
    auto systematic = std::make_unique<StagedSearch>(stages, record.make);
    if (!stages.front().samples) return systematic;
    return std::make_unique<Portfolio>(std::move(systematic), samplers(stages.front().seed));
  }
  HEDDLE_CHECK(stages.size() == 1);
  return record.make(stages.front());
}

bool uses_seed(const StrategyRecord& record, const std::vector<StrategyOptions>& stages) {
  return record.needs_budget || std::ranges::any_of(stages, [](const StrategyOptions& stage) {
           return stage.samples || !stage.descent.thresholds.empty() || uses_seed(stage.order);
         });
}

const StrategyRecord& find_strategy(const std::string& name) {
  std::string known;
  for (const StrategyRecord& record : kStrategies) {
    if (name == record.name) return record;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", record.name);
  }
  throw UserError(fmt::format("there is no strategy '{}'; known: {}", name, known));
}

}  // namespace heddle::explore
