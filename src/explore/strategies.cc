#include "explore/strategies.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/check.h"
#include "base/error.h"
#include "explore/backtracking/backtracking.h"
#include "explore/best_first.h"
#include "explore/guide/guide.h"
#include "explore/order.h"
#include "explore/portfolio.h"
#include "explore/reduction/reduced_search.h"
#include "explore/sample/guided.h"
#include "explore/sample/pct.h"
#include "explore/sample/reads_from.h"
#include "explore/sample/sampler.h"
#include "explore/sample/surw.h"
#include "explore/staged_search.h"

namespace heddle::explore {

namespace {

// Each part of a search draws schedules of its own.
uint64_t seed_of(const StrategyOptions& options) {
  return options.shard.index <= 1 ? options.seed
                                  : mix(options.seed, ~uint64_t{options.shard.index});
}

std::unique_ptr<Strategy> make_best_first(const StrategyOptions& options) {
  if (options.reduce) return std::make_unique<ReducedSearch>(options);
  return std::make_unique<BestFirst>(options);
}

template <wire::Decider kDecider>
std::unique_ptr<Strategy> make_sampler(const StrategyOptions& options) {
  return std::make_unique<Sampler>(kDecider, seed_of(options));
}

std::unique_ptr<Strategy> make_pct(const StrategyOptions& options) {
  return std::make_unique<Pct>(seed_of(options), options.pct_depth, options.pct_depth);
}

std::unique_ptr<Strategy> make_surw(const StrategyOptions& options) {
  return std::make_unique<Surw>(seed_of(options));
}

std::unique_ptr<Strategy> make_reads_from(const StrategyOptions& options) {
  return std::make_unique<ReadsFrom>(seed_of(options));
}

std::unique_ptr<Strategy> make_backtracking(const StrategyOptions& options) {
  return std::make_unique<Backtracking>(options);
}

std::unique_ptr<Strategy> make_guide(const StrategyOptions& options) {
  return std::make_unique<Guide>(options);
}

const std::array<StrategyRecord, 10> kStrategies = {{
    {"auto", 2, "ss,mdpor", false, true, make_best_first},
    {"dfs", std::nullopt, nullptr, false, false, make_best_first},
    {"best-first", 2, "ss,mdpor", false, false, make_best_first},
    {"random", std::nullopt, nullptr, true, false, make_sampler<wire::Decider::uniform>},
    {"pct", std::nullopt, nullptr, true, false, make_pct},
    {"pos", std::nullopt, nullptr, true, false, make_sampler<wire::Decider::pos>},
    {"surw", std::nullopt, nullptr, true, false, make_surw},
    {"rf", std::nullopt, nullptr, true, false, make_reads_from},
    {"backtrack", std::nullopt, nullptr, false, false, make_backtracking},
    {"guide", std::nullopt, nullptr, false, false, make_guide},
}};

// Those that can run beside a search: the best on the programs of ./dev bench bugs goes most often.
struct SamplerRecord {
  const char* name;
  double weight;
  // Null: there is nothing for it to do.
  std::unique_ptr<Sampler> (*make)(const StrategyOptions& options, uint64_t seed);
};
using Made = std::unique_ptr<Sampler>;
const std::array<SamplerRecord, 6> kSamplers = {{
    {"rf", 5,
     [](const StrategyOptions&, uint64_t seed) -> Made {
       return std::make_unique<ReadsFrom>(seed);
     }},
    {"pos", 1,
     [](const StrategyOptions&, uint64_t seed) {
       return std::make_unique<Sampler>(wire::Decider::pos, seed);
     }},
    {"pct", 1,
     [](const StrategyOptions&, uint64_t seed) -> Made {
       return std::make_unique<Pct>(seed, kUsualPctDepth - 1, kUsualPctDepth + 1);
     }},
    {"surw", 1,
     [](const StrategyOptions&, uint64_t seed) -> Made { return std::make_unique<Surw>(seed); }},
    {"random", 1,
     [](const StrategyOptions&, uint64_t seed) {
       return std::make_unique<Sampler>(wire::Decider::uniform, seed);
     }},
    {"guide", 1,
     [](const StrategyOptions& options, uint64_t seed) -> Made {
       if (options.guide.sequences.empty()) return nullptr;
       return std::make_unique<GuidedSampler>(options.guide, seed);
     }},
}};

// Each with a seed of its own.
std::vector<Portfolio::Member> make_samplers(const StrategyOptions& options) {
  std::vector<Portfolio::Member> members;
  for (uint64_t i = 0; i < kSamplers.size(); ++i) {
    const SamplerRecord& record = kSamplers[i];
    if (std::ranges::find(options.samplers, record.name) == options.samplers.end()) continue;
    Made sampler = record.make(options, mix(seed_of(options), i + 1));
    if (sampler != nullptr) members.push_back({record.name, std::move(sampler), record.weight});
  }
  return members;
}

}  // namespace

std::span<const StrategyRecord> strategies() { return kStrategies; }

std::vector<std::string> sampler_names() {
  std::vector<std::string> names;
  for (const SamplerRecord& record : kSamplers) names.emplace_back(record.name);
  return names;
}

std::unique_ptr<Strategy> make_strategy(const StrategyRecord& record,
                                        const std::vector<StrategyOptions>& stages) {
  if (record.staged) {
    auto systematic = std::make_unique<StagedSearch>(stages, record.make);
    std::vector<Portfolio::Member> samplers = make_samplers(stages.front());
    if (samplers.empty()) return systematic;
    return std::make_unique<Portfolio>(std::move(systematic), std::move(samplers));
  }
  HEDDLE_CHECK(stages.size() == 1);
  return record.make(stages.front());
}

bool uses_seed(const StrategyRecord& record, const std::vector<StrategyOptions>& stages) {
  return record.needs_budget || std::ranges::any_of(stages, [](const StrategyOptions& stage) {
           return !stage.samplers.empty() || !stage.descent.thresholds.empty() ||
                  stage.guide.places != 0 || uses_seed(stage.order);
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
