// Lineage against brute force: small programs, run by a machine that knows atomics and mutexes and
// the default behaviour. From the first execution on, children of children must come to every
// class of equivalent executions, and to none twice.
#include "causality/lineage.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <tuple>
#include <vector>

#include "causality/observation.h"
#include "causality/steps.h"
#include "wire/dependence.h"

namespace heddle::causality {
namespace {

using wire::Op;

struct Operation {
  Op op;
  uint64_t object;
  int expected = 0;  // of a compare-exchange, and what it stores
  int value = 0;
  bool stops = false;  // of a load: with another value than 0 the thread does no more
};
using Body = std::vector<Operation>;
using Program = std::vector<Body>;

constexpr uint64_t kThreads = 100;  // objects: the thread with this number less

// Main creates the others and joins them; then it exits.
Program whole(const Program& bodies) {
  Program program(1);
  for (uint64_t i = 1; i <= bodies.size(); ++i) program[0].push_back({Op::create, kThreads + i});
  for (uint64_t i = 1; i <= bodies.size(); ++i) program[0].push_back({Op::join, kThreads + i});
  program[0].push_back({Op::exit, 99});
  for (const Body& body : bodies) {
    program.push_back({{Op::begin, 98}});
    program.back().insert(program.back().end(), body.begin(), body.end());
    program.back().push_back({Op::end, kThreads + program.size() - 1});
  }
  return program;
}

class Machine {
 public:
  explicit Machine(const Program& program) : program_(program), threads_(program.size()) {
    threads_[0].exists = true;
  }

  bool can_go(uint32_t thread) const {
    const Operation* next = next_of(thread);
    if (next == nullptr) return false;
    if (next->op == Op::lock) return !is_held(next->object);
    return next->op != Op::join || is_ended(next->object - kThreads);
  }
  // The thread of the default; none: this is the end.
  std::optional<uint32_t> by_default() const {
    if (can_go(running_)) return running_;
    for (uint32_t i = 0; i < threads_.size(); ++i) {
      if (can_go(i)) return i;
    }
    return std::nullopt;
  }
  void go(uint32_t thread) {
    const Operation& next = *next_of(thread);
    running_ = thread;
    wire::Step made = step(thread, next.op, next.object);
    made.size = 1;
    State& state = threads_[thread];
    ++state.next;
    int& value = values_[next.object];
    switch (next.op) {
      case Op::begin:
        made.after = state.created;
        break;
      case Op::create:
        threads_[next.object - kThreads].exists = true;
        threads_[next.object - kThreads].created = static_cast<uint32_t>(steps_.size());
        break;
      case Op::atomic_load:
        // The end is the last of its operations.
        if (next.stops && value != 0) state.next = program_[thread].size() - 1;
        break;
      case Op::atomic_store:
        value = next.value;
        break;
      case Op::atomic_rmw:
        ++value;
        break;
      case Op::atomic_cas:
        if (value == next.expected) {
          value = next.value;
        } else {
          made.flags |= wire::kOnlyReads;
        }
        break;
      case Op::lock:
        made.flags |= wire::kTakes;
        value = 1;
        break;
      case Op::unlock:
        value = 0;
        break;
      default:
        break;
    }
    steps_.push_back(made);
  }

  const std::vector<wire::Step>& steps() const { return steps_; }
  std::vector<wire::Step> pending() const {
    std::vector<wire::Step> pending;
    for (uint32_t i = 0; i < threads_.size(); ++i) {
      const Operation* next = next_of(i);
      if (next == nullptr) continue;
      pending.push_back(step(i, next->op, next->object));
      pending.back().size = 1;
    }
    return pending;
  }

 private:
  struct State {
    bool exists = false;
    uint32_t created = wire::kNoStep;
    uint64_t next = 0;
  };

  const Operation* next_of(uint32_t thread) const {
    const State& state = threads_[thread];
    bool is_there = state.exists && state.next < program_[thread].size();
    return is_there ? &program_[thread][state.next] : nullptr;
  }
  bool is_ended(uint64_t thread) const { return threads_[thread].next == program_[thread].size(); }
  bool is_held(uint64_t object) const {
    auto found = values_.find(object);
    return found != values_.end() && found->second != 0;
  }

  const Program& program_;
  std::vector<State> threads_;
  uint32_t running_ = 0;
  std::map<uint64_t, int> values_;
  std::vector<wire::Step> steps_;
};

// What was done, and in which order all that depends on each other.
using Class = std::set<std::tuple<uint64_t, uint64_t, uint64_t, uint64_t>>;

Class class_of(const std::vector<wire::Step>& steps) {
  Class result;
  std::vector<uint64_t> ordinals(steps.size());
  std::map<uint32_t, uint64_t> made;
  for (uint64_t i = 0; i < steps.size(); ++i) {
    uint64_t thread = steps[i].thread;
    ordinals[i] = made[steps[i].thread]++;
    result.emplace(thread, ordinals[i], 1000 + static_cast<uint64_t>(steps[i].op),
                   steps[i].flags & wire::kOnlyReads);
    for (uint64_t k = 0; k < i; ++k) {
      if (steps[k].thread == thread ||
          !wire::depend(wire::effect_of(steps[k]), wire::effect_of(steps[i]))) {
        continue;
      }
      result.emplace(steps[k].thread, ordinals[k], thread, ordinals[i]);
    }
  }
  return result;
}

// All executions from where the machine is; false: there are too many.
bool enumerate(const Program& program, const Machine& machine, uint64_t* left,
               std::set<Class>* found) {
  if (*left == 0) return false;
  if (!machine.by_default()) {
    --*left;
    found->insert(class_of(machine.steps()));
    return true;
  }
  for (uint32_t i = 0; i < program.size(); ++i) {
    if (!machine.can_go(i)) continue;
    Machine then = machine;
    then.go(i);
    if (!enumerate(program, then, left, found)) return false;
  }
  return true;
}

struct Schedule {
  std::vector<uint32_t> threads;  // of the first steps
  uint32_t first_step = 0;
  std::vector<wire::Decision> decisions;  // from there on
};

struct Searched {
  std::set<Class> found;
  uint64_t runs = 0;
  uint64_t redundant = 0;
};

Machine run(const Program& program, const Schedule& schedule) {
  Machine machine(program);
  for (uint32_t thread : schedule.threads) machine.go(thread);
  auto next = schedule.decisions.begin();
  while (std::optional<uint32_t> thread = machine.by_default()) {
    if (next != schedule.decisions.end() && next->step == machine.steps().size()) {
      thread = next++->thread();
      EXPECT_TRUE(machine.can_go(*thread));
    }
    machine.go(*thread);
  }
  return machine;
}

void look_at(const Program& program, const Machine& machine, const Schedule& schedule,
             Observation* observation, Execution* execution, std::vector<wire::Step>* pending) {
  *pending = machine.pending();
  *execution = {};
  execution->steps = machine.steps();
  execution->pending = *pending;
  execution->result.step_count = static_cast<uint32_t>(machine.steps().size());
  execution->result.pending_count = static_cast<uint32_t>(pending->size());
  execution->result.thread_count = static_cast<uint32_t>(program.size());
  bool stands = !pending->empty();
  execution->result.ending = stands ? wire::Ending::failed : wire::Ending::finished;
  if (stands) execution->result.failure = wire::Failure::deadlock;
  wire::Directive directive = wire::plain_directive();
  directive.flags = wire::kObserveReversals | wire::kObserveLineage;
  directive.first_step = schedule.first_step;
  observation->look_at(directive, *execution, schedule.decisions);
}

Schedule child_of(const Machine& machine, const Observation& observation,
                  const wire::Reversal& child) {
  Schedule schedule;
  schedule.first_step = child.fork.step;
  for (uint32_t i = 0; i < child.fork.step; ++i) {
    schedule.threads.push_back(machine.steps()[i].thread);
  }
  schedule.decisions.push_back(wire::Decision::of_thread(child.fork.step, child.thread, 0));
  for (const wire::WakeupStep& step : observation.wakeup(child)) {
    schedule.decisions.push_back(wire::Decision::wish(step.step, step.thread, step.outcome));
  }
  return schedule;
}

Searched search(const Program& program) {
  Searched searched;
  std::vector<Schedule> waiting(1);
  Observation observation;
  Execution execution;
  std::vector<wire::Step> pending;
  while (!waiting.empty()) {
    Schedule schedule = std::move(waiting.back());
    waiting.pop_back();
    Machine machine = run(program, schedule);
    ++searched.runs;
    look_at(program, machine, schedule, &observation, &execution, &pending);
    EXPECT_NE(observation.lineage(), wire::Lineage::foreign);
    if (observation.lineage() != wire::Lineage::told) {
      ++searched.redundant;
      continue;
    }
    EXPECT_TRUE(searched.found.insert(class_of(machine.steps())).second) << "found twice";
    for (uint32_t i = 0; i < observation.reversal_count(); ++i) {
      wire::Reversal child = observation.reversal(i);
      waiting.push_back(child_of(machine, observation, child));
    }
  }
  return searched;
}

class Generator {
 public:
  explicit Generator(uint32_t seed) : random_(seed) {}

  uint32_t below(uint32_t end) { return static_cast<uint32_t>(random_() % end); }

  Program program(const std::vector<Op>& kinds) {
    Program bodies;
    uint32_t threads = 2 + below(2);
    for (uint32_t i = 0; i < threads; ++i) bodies.push_back(body(kinds, 1 + below(3)));
    return whole(bodies);
  }

 private:
  Body body(const std::vector<Op>& kinds, uint32_t length) {
    Body body;
    std::vector<uint64_t> held;
    for (uint32_t i = 0; i < length; ++i) {
      Op op = kinds[below(static_cast<uint32_t>(kinds.size()))];
      int value = 1 + static_cast<int>(below(2));
      if (op == Op::lock) {
        uint64_t mutex = 10 + below(2);
        bool has = std::find(held.begin(), held.end(), mutex) != held.end();
        if (has) {
          std::erase(held, mutex);
        } else {
          held.push_back(mutex);
        }
        body.push_back({has ? Op::unlock : Op::lock, mutex});
      } else {
        body.push_back({op, 1 + below(2), static_cast<int>(below(2)), value, false});
        body.back().stops = op == Op::atomic_load && held.empty() && below(3) == 0;
      }
    }
    // One that is not let go of makes deadlocks.
    for (uint64_t mutex : held) {
      if (below(4) != 0) body.push_back({Op::unlock, mutex});
    }
    if (!held.empty()) {
      for (Operation& one : body) one.stops = false;
    }
    return body;
  }

  std::mt19937 random_;
};

void compare(const std::vector<Op>& kinds, bool are_known_before, uint32_t programs) {
  uint32_t compared = 0;
  for (uint32_t seed = 1; compared < programs; ++seed) {
    SCOPED_TRACE(seed);
    Program program = Generator(seed).program(kinds);
    uint64_t left = 1000;
    std::set<Class> all;
    if (!enumerate(program, Machine(program), &left, &all)) continue;
    ++compared;
    Searched searched = search(program);
    EXPECT_EQ(searched.found.size(), all.size());
    EXPECT_EQ(searched.found, all);
    EXPECT_TRUE(!are_known_before || searched.redundant == 0);
    if (testing::Test::HasFailure()) return;
  }
}

constexpr uint32_t kPrograms = 20;  // of each kind

TEST(Lineage, LoadsAndStores) { compare({Op::atomic_load, Op::atomic_store}, true, kPrograms); }
TEST(Lineage, Updates) {
  compare({Op::atomic_load, Op::atomic_store, Op::atomic_rmw}, true, kPrograms);
}
TEST(Lineage, MutexesAndDeadlocks) {
  compare({Op::lock}, true, kPrograms);
  compare({Op::lock, Op::lock, Op::atomic_load, Op::atomic_store}, true, kPrograms);
}
TEST(Lineage, CompareExchanges) {
  compare({Op::atomic_cas}, false, kPrograms);
  compare({Op::atomic_cas, Op::atomic_load, Op::atomic_store, Op::lock}, false, kPrograms);
}

// (2n)! / (n! n!), 2^n, and for the search for the last zero see tests/cli/reduction_families.py.
TEST(Lineage, FormulasWithoutARedundantRun) {
  Body counter(4, {Op::atomic_rmw, 1});
  EXPECT_EQ(search(whole({counter, counter})).runs, 70u);
  Body reader{{Op::atomic_load, 1}};
  EXPECT_EQ(search(whole({{{Op::atomic_store, 1, 0, 1}}, reader, reader, reader, reader})).runs,
            16u);
  Body section{{Op::lock, 10}, {Op::unlock, 10}, {Op::lock, 10}, {Op::unlock, 10}};
  EXPECT_EQ(search(whole({section, section, section})).runs, 90u);
}

// Of what is not known nothing is told.
TEST(Lineage, SemaphoresAreForeign) {
  Program program = whole({{{Op::sem_post, 1}}});
  Schedule schedule;
  Machine machine = run(program, schedule);
  Observation observation;
  Execution execution;
  std::vector<wire::Step> pending;
  look_at(program, machine, schedule, &observation, &execution, &pending);
  EXPECT_EQ(observation.lineage(), wire::Lineage::foreign);
}

}  // namespace
}  // namespace heddle::causality
