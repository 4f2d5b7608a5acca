// What explains a failure, on models of small programs: all of their executions are enumerated
// here, one by one, and what simplifier, critical step and twins come to must be what these say.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>

#include "base/hash.h"
#include "session/critical.h"
#include "session/fewest.h"
#include "session/simplifier.h"
#include "session/twin.h"

namespace heddle::session {
namespace {

constexpr uint64_t kPlenty = 1'000'000'000;
constexpr uint64_t kDeadlock = 1;
constexpr uint64_t kWrongEnd = 2;

// An operation of a thread: on a mutex, or on the one variable.
enum class Deed { lock, unlock, read, write };
struct Operation {
  Deed deed;
  uint32_t mutex = 0;
};

// Threads that increase a variable, some of them without its mutex, and that may lock two in both
// orders. It fails if a thread is stuck, or if the sum is wrong in the end.
struct Model {
  std::vector<std::vector<Operation>> threads;
  int expected = 0;
};

struct State {
  std::vector<uint32_t> at;
  std::vector<int> read;
  std::vector<int> holder;  // of mutexes; -1: nobody
  int value = 0;

  uint64_t key() const {
    uint64_t hash = mix(7, static_cast<uint64_t>(value));
    for (uint32_t place : at) hash = mix(hash, place);
    for (int number : read) hash = mix(hash, static_cast<uint64_t>(number));
    for (int thread : holder) hash = mix(hash, static_cast<uint64_t>(thread + 1));
    return hash;
  }
};

State first_state(const Model& model) {
  return {std::vector<uint32_t>(model.threads.size()),
          std::vector<int>(model.threads.size()),
          {-1, -1},
          0};
}

bool is_enabled(const Model& model, const State& state, uint32_t thread) {
  const auto& code = model.threads[thread];
  if (state.at[thread] == code.size()) return false;
  const Operation& next = code[state.at[thread]];
  return next.deed != Deed::lock || state.holder[next.mutex] == -1;
}

void make_step(const Model& model, uint32_t thread, State* state) {
  const Operation& operation = model.threads[thread][state->at[thread]++];
  if (operation.deed == Deed::lock) state->holder[operation.mutex] = static_cast<int>(thread);
  if (operation.deed == Deed::unlock) state->holder[operation.mutex] = -1;
  if (operation.deed == Deed::read) state->read[thread] = state->value;
  if (operation.deed == Deed::write) state->value = state->read[thread] + 1;
}

// As choice points have them: the running thread first.
std::vector<uint32_t> options_of(const Model& model, const State& state, uint32_t running) {
  std::vector<uint32_t> options;
  if (is_enabled(model, state, running)) options.push_back(running);
  for (uint32_t thread = 0; thread < model.threads.size(); ++thread) {
    if (thread != running && is_enabled(model, state, thread)) options.push_back(thread);
  }
  return options;
}

wire::Step step_of(const Model& model, const State& state, uint32_t running,
                   const std::vector<uint32_t>& options, uint32_t choice, uint64_t sequence) {
  wire::Step step{};
  uint32_t thread = options[choice];
  const Operation& operation = model.threads[thread][state.at[thread]];
  step.thread = static_cast<uint16_t>(thread);
  step.op = static_cast<wire::Op>(operation.deed);
  step.object = 1 + operation.mutex;
  step.choice = static_cast<uint16_t>(choice);
  step.options = static_cast<uint16_t>(options.size());
  step.free_options = is_enabled(model, state, running) ? 1 : step.options;
  step.check = static_cast<uint32_t>(sequence);
  return step;
}

void conclude(const Model& model, const State& state, wire::Result* result) {
  bool ended = true;
  for (uint32_t i = 0; i < model.threads.size(); ++i)
    ended &= state.at[i] == model.threads[i].size();
  if (!ended) result->failure_key = kDeadlock;
  if (ended && state.value != model.expected) result->failure_key = kWrongEnd;
  result->ending = result->failure_key != 0 ? wire::Ending::failed : wire::Ending::finished;
  result->failure = ended ? wire::Failure::assertion : wire::Failure::deadlock;
}

class ModelProber : public Prober {
 public:
  explicit ModelProber(Model model) : model_(std::move(model)) {}

  bool run_all(const Next& next, const See& see) override {
    while (std::optional<Rerun> rerun = next()) {
      std::vector<uint64_t> notes;
      KnownRun run = follow(*rerun, &notes);
      ++runs;
      if (!see(Probe{run.result, run.steps, notes})) break;
    }
    return true;
  }

  KnownRun follow(const Rerun& rerun, std::vector<uint64_t>* notes = nullptr) {
    KnownRun run;
    State state = first_state(model_);
    uint32_t running = 0;
    uint64_t sequence = 0;
    auto decision = rerun.schedule.begin();
    for (uint32_t number = 0;; ++number) {
      std::vector<uint32_t> options = options_of(model_, state, running);
      if (options.empty()) break;
      if (options.size() > 1 && notes != nullptr) {
        notes->insert(notes->end(), {number, state.key(), running});
      }
      uint32_t choice = 0;
      if (decision != rerun.schedule.end() && decision->step == number) {
        choice = decision->choice;
        if (decision->is_wish()) {
          auto wanted = std::ranges::find(options, decision->thread());
          choice = wanted == options.end() ? 0 : static_cast<uint32_t>(wanted - options.begin());
        }
        ++decision;
      }
      EXPECT_LT(choice, options.size());
      run.steps.push_back(step_of(model_, state, running, options, choice, sequence));
      running = options[choice];
      sequence = mix(sequence, running);
      if (is_preemption(run.steps.back())) ++run.result.preemptions;
      make_step(model_, running, &state);
    }
    conclude(model_, state, &run.result);
    run.result.step_count = static_cast<uint32_t>(run.steps.size());
    run.result.sequence = sequence;
    return run;
  }

  int runs = 0;

 private:
  Model model_;
};

// All executions of a model, the long way.
std::vector<KnownRun> all_runs(const Model& model) {
  ModelProber prober(model);
  std::vector<KnownRun> runs;
  std::function<void(const KnownRun&, uint32_t)> below = [&](const KnownRun& run, uint32_t first) {
    runs.push_back(run);
    for (uint32_t i = first; i < run.steps.size(); ++i) {
      for (uint32_t choice = 1; choice < run.steps[i].options; ++choice) {
        below(prober.follow(rerun_along(branch_off(run.steps, i, choice))), i + 1);
      }
    }
  };
  below(prober.follow({}), 0);
  return runs;
}

bool fails(const KnownRun& run) { return run.result.ending == wire::Ending::failed; }

bool begins_alike(const KnownRun& a, const KnownRun& b, size_t count) {
  if (a.steps.size() < count || b.steps.size() < count) return false;
  for (size_t i = 0; i < count; ++i) {
    if (a.steps[i].thread != b.steps[i].thread) return false;
  }
  return true;
}

// Two or three threads, with a few operations each: an increase with or without a lock, or two
// locks.
Model random_model(uint32_t seed) {
  std::mt19937 random(seed);
  Model model;
  uint32_t count = 2 + random() % 2;
  for (uint32_t i = 0; i < count; ++i) {
    std::vector<Operation> code;
    uint32_t parts = count == 2 ? 2 : 1;
    for (uint32_t part = 0; part < parts; ++part) {
      uint32_t kind = random() % 4;
      uint32_t mutex = random() % 2;
      if (kind == 0) code.insert(code.end(), {{Deed::lock, mutex}, {Deed::lock, 1 - mutex}});
      if (kind == 1) code.push_back({Deed::lock, mutex});
      code.insert(code.end(), {{Deed::read}, {Deed::write}});
      if (kind <= 1) code.push_back({Deed::unlock, mutex});
      if (kind == 0) code.push_back({Deed::unlock, 1 - mutex});
      ++model.expected;
    }
    model.threads.push_back(std::move(code));
  }
  return model;
}

struct Expected {
  Cost simplest;
  std::optional<uint32_t> critical;  // of that run
};

Cost simplest_of(const std::vector<KnownRun>& runs, uint64_t key) {
  std::optional<Cost> best;
  for (const KnownRun& run : runs) {
    if (fails(run) && run.result.failure_key == key) {
      best = std::min(best.value_or(run.cost()), run.cost());
    }
  }
  return *best;
}

// The last step before which something that passes begins alike.
std::optional<uint32_t> critical_of(const std::vector<KnownRun>& runs, const KnownRun& failing) {
  for (auto i = static_cast<uint32_t>(failing.steps.size()); i-- > 0;) {
    for (const KnownRun& run : runs) {
      if (!fails(run) && begins_alike(run, failing, i)) return i;
    }
  }
  return std::nullopt;
}

void check_twins(const Twins& twins, const KnownRun& given) {
  const KnownRun& failing = twins.failing ? *twins.failing : given;
  EXPECT_TRUE(fails(failing));
  EXPECT_FALSE(fails(twins.passing));
  ASSERT_TRUE(begins_alike(failing, twins.passing, twins.step));
  ASSERT_GT(failing.steps.size(), twins.step);
  EXPECT_NE(failing.steps[twins.step].thread, twins.passing.steps[twins.step].thread);
  if (!twins.adjacent) return;
  EXPECT_EQ(failing.steps[twins.step].thread, twins.passing.steps[twins.step + 1].thread);
  EXPECT_EQ(failing.steps[twins.step + 1].thread, twins.passing.steps[twins.step].thread);
}

TEST(Explain, AgreesWithAllExecutions) {
  int failing_models = 0;
  int with_critical = 0;
  int adjacent = 0;
  for (uint32_t seed = 0; seed < 60; ++seed) {
    Model model = random_model(seed);
    std::vector<KnownRun> runs = all_runs(model);
    auto worst = std::ranges::max_element(
        runs, {}, [](const KnownRun& run) { return fails(run) ? run.cost() : Cost{}; });
    if (!fails(*worst)) continue;
    ++failing_models;
    for (bool matches : {true, false}) {
      SCOPED_TRACE(testing::Message() << "seed " << seed << ", matches " << matches);
      ModelProber prober(model);
      Budget budget(kPlenty, 1);
      Simplified simplified = simplify(prober, *worst, matches, &budget);
      EXPECT_EQ(simplified.run.result.failure_key, worst->result.failure_key);
      EXPECT_EQ(simplified.run.cost(), simplest_of(runs, worst->result.failure_key));
      EXPECT_TRUE(simplified.proved);
      std::optional<Critical> critical = find_critical(prober, simplified.run, matches, &budget);
      ASSERT_TRUE(critical.has_value());
      EXPECT_EQ(critical->step, critical_of(runs, simplified.run));
      EXPECT_TRUE(critical->all);
      if (!critical->step.has_value()) continue;
      ++with_critical;
      std::optional<Twins> twins = find_twins(prober, simplified.run, *critical, &budget);
      ASSERT_TRUE(twins.has_value());
      check_twins(*twins, simplified.run);
      adjacent += twins->adjacent ? 1 : 0;
    }
  }
  EXPECT_GE(failing_models, 30);
  EXPECT_GE(with_critical, 40);
  EXPECT_GE(adjacent, 20);
}

// Without matching, as many continuations are tried as there are.
TEST(Explain, CountsContinuations) {
  for (uint32_t seed = 0; seed < 20; ++seed) {
    Model model = random_model(seed);
    std::vector<KnownRun> runs = all_runs(model);
    auto failing = std::ranges::find_if(runs, fails);
    if (failing == runs.end()) continue;
    ModelProber prober(model);
    Budget budget(kPlenty, 1);
    std::optional<Critical> critical = find_critical(prober, *failing, false, &budget);
    ASSERT_TRUE(critical.has_value());
    size_t first = critical->step.has_value() ? *critical->step + 1 : 0;
    auto is_below = [&](const KnownRun& run) { return begins_alike(run, *failing, first); };
    EXPECT_EQ(critical->tried, static_cast<uint64_t>(std::ranges::count_if(runs, is_below)));
  }
}

// A budget that does not last: what is told is less, and never wrong.
TEST(Explain, KeepsToItsBudget) {
  for (uint32_t seed = 0; seed < 20; ++seed) {
    Model model = random_model(seed);
    std::vector<KnownRun> runs = all_runs(model);
    auto failing = std::ranges::find_if(runs, fails);
    if (failing == runs.end()) continue;
    for (uint64_t units : {1, 100, 400, 2000}) {
      ModelProber prober(model);
      Budget budget(units, 1);
      Simplified simplified = simplify(prober, *failing, true, &budget);
      EXPECT_TRUE(fails(simplified.run));
      if (simplified.proved) {
        EXPECT_EQ(simplified.run.result.preemptions,
                  simplest_of(runs, failing->result.failure_key).preemptions);
      }
      std::optional<Critical> critical = find_critical(prober, simplified.run, true, &budget);
      if (critical.has_value() && critical->all) {
        EXPECT_EQ(critical->step, critical_of(runs, simplified.run));
      }
      EXPECT_LE(static_cast<uint64_t>(prober.runs), units);
    }
  }
}

}  // namespace
}  // namespace heddle::session
