#include "explore/strategies.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/check.h"
#include "base/error.h"
#include "explore/best_first.h"
#include "explore/order.h"
#include "explore/random_walk.h"
#include "explore/reduction/reduced_search.h"
#include "explore/staged_search.h"

namespace heddle::explore {

namespace {

std::unique_ptr<Strategy> make_best_first(const StrategyOptions& options) {
  if (options.reduce) return std::make_unique<ReducedSearch>(options);
  return std::make_unique<BestFirst>(options);
}

std::unique_ptr<Strategy> make_random_walk(const StrategyOptions& options) {
  return std::make_unique<RandomWalk>(options.seed);
}

const std::array<StrategyRecord, 4> kStrategies = {{
    {"auto", 2, "ss,mdpor", false, true, make_best_first},
    {"dfs", std::nullopt, nullptr, false, false, make_best_first},
    {"best-first", 2, "ss,mdpor", false, false, make_best_first},
    {"random", std::nullopt, nullptr, true, false, make_random_walk},
}};

}  // namespace

std::span<const StrategyRecord> strategies() { return kStrategies; }

std::unique_ptr<Strategy> make_strategy(const StrategyRecord& record,
                                        const std::vector<StrategyOptions>& stages) {
  if (record.staged) return std::make_unique<StagedSearch>(stages, record.make);
  HEDDLE_CHECK(stages.size() == 1);
  return record.make(stages.front());
}

bool uses_seed(const StrategyRecord& record, const std::vector<StrategyOptions>& stages) {
  return record.needs_budget || std::ranges::any_of(stages, [](const StrategyOptions& stage) {
           return uses_seed(stage.order);
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
