// Runs a whole search over a fake program.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "explore/search.h"
#include "explore/small_files.h"
#include "explore/strategies.h"
#include "pool/fake_program.h"
#include "pool/pool.h"

namespace heddle::testing {

struct FoundFailure {
  uint64_t number;
  wire::Failure kind;
  uint64_t key;
  std::string message;
  trace::Schedule schedule;
  uint32_t preemptions;
};

struct Searched : explore::SearchEvents {
  explore::SearchEnd end{};
  explore::Counts counts;
  uint64_t distinct = 0;
  bool is_complete = false;
  bool estimated = false;
  explore::TreeStatistics tree;
  std::vector<FoundFailure> failures;
  uint64_t diverged_at = 0;
  double seconds = 0;
  std::optional<uint64_t> small_files_after_first;  // bytes: as if the disk were full
  std::unique_ptr<SmallFiles> small_files;
  std::string out_of_space_because;

  void first(const explore::Occurrence&) override {
    if (small_files_after_first)
      small_files = std::make_unique<SmallFiles>(*small_files_after_first);
  }
  void out_of_space(const std::string& why) override { out_of_space_because = why; }
  bool failure(const explore::Occurrence& what) override {
    const wire::Result& result = what.outcome.execution.result;
    failures.push_back({what.number, result.failure, result.failure_key, what.outcome.message,
                        trace::schedule_of(what.outcome.execution.steps), result.preemptions});
    return true;
  }
  void diverged(const explore::Occurrence& what) override { diverged_at = what.number; }
  void unsupported(const explore::Occurrence&) override {}
  void progress(const explore::Counts&) override {}
};

struct SearchSetup {
  std::string strategy = "dfs";
  explore::StrategyOptions options;
  explore::Limits limits;
  pool::Settings settings;

  SearchSetup() {
    settings.max_steps = 100'000;
    settings.hang_after = 1;
    settings.hang_answer = 0.5;
  }
};

inline void search(const FakeProgram& program, const SearchSetup& setup, Searched* searched) {
  Searched& result = *searched;
  auto strategy = explore::find_strategy(setup.strategy).make(setup.options);
  pool::Pool pool(launch_of(program), setup.settings, *strategy);
  explore::Search search(*strategy, pool, setup.limits, result);
  result.end = search.run();
  result.small_files.reset();
  result.counts = search.counts();
  result.is_complete = strategy->complete();
  result.distinct = search.distinct().count();
  result.estimated = search.distinct().estimated();
  result.tree = strategy->statistics();
  result.seconds = search.seconds();
}

inline Searched search(const FakeProgram& program, const SearchSetup& setup = {}) {
  Searched result;
  search(program, setup, &result);
  return result;
}

}  // namespace heddle::testing
