#include "explore/strategies.h"

#include <fmt/format.h>

#include <array>

#include "base/error.h"
#include "explore/depth_first.h"
#include "explore/random_walk.h"

namespace heddle::explore {

namespace {

std::unique_ptr<Strategy> make_depth_first(const StrategyOptions& options) {
  return std::make_unique<DepthFirst>(options);
}

std::unique_ptr<Strategy> make_random_walk(const StrategyOptions& options) {
  return std::make_unique<RandomWalk>(options.seed);
}

const std::array<StrategyRecord, 3> kStrategies = {{
    {"auto", "dfs", 2, false, make_depth_first},
    {"dfs", "dfs", std::nullopt, false, make_depth_first},
    {"random", "random", std::nullopt, true, make_random_walk},
}};

constexpr std::array<const char*, 5> kPlanned = {"best-first", "pct", "pos", "backtrack", "guide"};

}  // namespace

std::span<const StrategyRecord> strategies() { return kStrategies; }

const StrategyRecord& find_strategy(const std::string& name) {
  std::string known;
  for (const StrategyRecord& record : kStrategies) {
    if (name == record.name) return record;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", record.name);
  }
  for (const char* planned : kPlanned) {
    if (name == planned) {
      throw UserError(
          fmt::format("strategy '{}' is not available in this version; known: {}", name, known));
    }
  }
  throw UserError(fmt::format("there is no strategy '{}'; known: {}", name, known));
}

}  // namespace heddle::explore
