#include "readers/targets.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "base/error.h"
#include "causality/observation.h"
#include "causality/received.h"
#include "causality/subtree.h"
#include "explore/bundle_search.h"
#include "explore/state_set.h"
#include "explore/strategies.h"
#include "machines/collected.h"
#include "machines/shared_search.h"
#include "session/joined.h"
#include "trace/make_finding.h"
#include "trace/region_builder.h"
#include "trace/schedule_file.h"

namespace heddle::readers {

namespace {

class Reader final : public ByteReader {
 public:
  explicit Reader(Bytes bytes) : bytes_(bytes) {}
  void read(void* to, uint64_t count) override {
    check(count <= left());
    if (count != 0) std::memcpy(to, bytes_.data(), count);
    bytes_ = bytes_.subspan(count);
  }
  uint64_t left() const override { return bytes_.size(); }
  [[noreturn]] void damaged() const override { throw UserError("damaged"); }

 private:
  Bytes bytes_;
};

// Takes one from the front; zero where the bytes have ended.
template <typename T>
T take(Bytes* bytes) {
  T value{};
  size_t size = std::min(sizeof value, bytes->size());
  if (size != 0) std::memcpy(&value, bytes->data(), size);
  *bytes = bytes->subspan(size);
  return value;
}

void ask(causality::Observation& observation) {
  uint64_t sum = observation.preemptions() + observation.end() + observation.last().step;
  for (const wire::Branch& branch : observation.branches()) sum += branch.step;
  for (wire::Way way : observation.ways()) sum += static_cast<uint64_t>(way);
  for (const wire::OpenStep& open : observation.open_steps()) sum += open.outcome;
  for (uint32_t i = 0; observation.has_reversals() && i < observation.reversal_count(); ++i) {
    wire::Reversal reversal = observation.reversal(i);
    for (const wire::WakeupStep& step : observation.wakeup(reversal)) sum += step.step;
    for (uint32_t thread = 0; thread < 70; ++thread) {
      sum += observation.is_initial(i, thread) + observation.is_weak_initial(i, thread);
    }
  }
  [[maybe_unused]] static volatile uint64_t result;
  result = sum;
}

void look_at_digest(const wire::Result& result, Bytes bytes) {
  std::span digest(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  // As the pool has it: aligned, and its own.
  std::vector<uint64_t> copy(digest.size() / sizeof(uint64_t) + 1);
  if (!digest.empty()) std::memcpy(copy.data(), digest.data(), digest.size());
  causality::Execution execution;
  execution.result = result;
  execution.digest = {reinterpret_cast<const char*>(copy.data()), digest.size()};
  if (!causality::is_sensible(execution.digest, result)) return;
  causality::Observation observation;
  observation.read(execution);
  ask(observation);
}

// The first plans that it makes.
void ask(explore::Strategy& strategy) {
  for (int i = 0; i < 64; ++i) {
    std::optional<pool::Plan> plan = strategy.next();
    if (!plan) break;
    std::vector<wire::Decision> decisions(plan->decision_count);
    strategy.write_decisions(*plan, decisions.data());
  }
}

void look_at_steps(wire::Result result, Bytes bytes) {
  constexpr size_t kMost = 64;
  auto directive = take<wire::Directive>(&bytes);
  auto pending = take<uint8_t>(&bytes) % 8u;
  std::vector<wire::Step> steps;
  while (bytes.size() >= sizeof(wire::Step) && steps.size() < kMost) {
    steps.push_back(take<wire::Step>(&bytes));
  }
  pending = std::min<uint32_t>(pending, static_cast<uint32_t>(steps.size()));
  std::vector<uint16_t> options;
  while (bytes.size() >= sizeof(uint16_t) && options.size() < 4 * kMost) {
    options.push_back(take<uint16_t>(&bytes));
  }
  result.first_step = 0;
  result.step_count = static_cast<uint32_t>(steps.size()) - pending;
  result.thread_count %= 64;
  result.pending_count = pending;
  result.option_count = static_cast<uint32_t>(options.size());
  causality::Execution execution;
  execution.result = result;
  execution.steps = std::span(steps).first(result.step_count);
  execution.pending = std::span(steps).subspan(result.step_count);
  execution.option_threads = options;
  if (!causality::is_sensible(execution)) return;
  directive.flags |= wire::kWantSteps | wire::kWantPending | wire::kWantOptions;
  directive.first_step = std::min(directive.first_step, result.step_count);
  causality::Observation observation;
  observation.look_at(directive, execution, {});
  ask(observation);
}

}  // namespace

void schedule(Bytes bytes) {
  std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  try {
    trace::ScheduleFile file = trace::parse_schedule(text, "FILE");
    // What is read can be written, and is the same then.
    std::string written = trace::format_schedule(file);
    std::string again = trace::format_schedule(trace::parse_schedule(written, "FILE"));
    if (written != again) throw std::logic_error("a schedule is not what was written");
  } catch (const UserError&) {
  }
}

void saved_search(Bytes bytes) {
  const SavedStrategy& saved =
      kSavedStrategies[take<uint8_t>(&bytes) % std::size(kSavedStrategies)];
  explore::StrategyOptions options;
  options.reduce = saved.reduce;
  if (saved.parts != 0) options.shard = {2, saved.parts};
  auto strategy = explore::find_strategy(saved.name).make(options);
  Reader reader(bytes);
  try {
    auto plans = reader.get_count(sizeof(pool::Plan));
    std::vector<pool::Plan> held(plans);
    for (pool::Plan& plan : held) reader.get(&plan);
    strategy->load(reader);
    reader.check(reader.left() == 0);
    for (const pool::Plan& plan : held) reader.check(strategy->knows(plan));
    auto write = [&](const pool::Plan& plan) {
      std::vector<wire::Decision> decisions(plan.decision_count);
      strategy->write_decisions(plan, decisions.data());
    };
    for (const pool::Plan& plan : held) write(plan);
    ask(*strategy);
    strategy->remaining();
    strategy->statistics();
  } catch (const UserError&) {
  }
}

void observation(Bytes bytes) {
  bool has_digest = take<uint8_t>(&bytes) % 2 == 0;
  auto result = take<wire::Result>(&bytes);
  if (has_digest) {
    look_at_digest(result, bytes);
  } else {
    look_at_steps(result, bytes);
  }
}

void region(Bytes bytes) {
  static trace::RegionBuilder* builder = [] {
    auto* made = new trace::RegionBuilder;
    made->add_module(0, 0x1000, 0x2000, "/nowhere/program");
    made->add_thread(wire::kNoThread, 0);
    made->add_thread(0, 1);
    return made;
  }();
  struct Kept {
    uint64_t offset;
    uint64_t value;
  };
  std::vector<Kept> kept;  // of what was there
  char* memory = reinterpret_cast<char*>(builder->region());
  wire::Step steps[4] = {};
  for (wire::Step& step : steps) step = take<wire::Step>(&bytes);
  while (bytes.size() >= 12) {
    // The beginnings of region and details, where nearly all is, more often than the rest.
    uint64_t offset = take<uint32_t>(&bytes);
    bool in_detail = (offset & 1) != 0;
    uint64_t begin =
        in_detail ? static_cast<uint64_t>(reinterpret_cast<char*>(builder->detail()) - memory) : 0;
    uint64_t room = in_detail ? builder->bytes() - begin : sizeof(wire::Region);
    offset = begin + (offset >> 1) % (room - sizeof(uint64_t));
    auto value = take<uint64_t>(&bytes);
    Kept was{offset, 0};
    std::memcpy(&was.value, memory + offset, sizeof was.value);
    kept.push_back(was);
    std::memcpy(memory + offset, &value, sizeof value);
  }
  causality::Execution execution;
  execution.id = builder->detail()->job;
  execution.result.ending = wire::Ending::failed;
  execution.result.failure = wire::Failure::crash;
  execution.result.step_count = std::size(steps);
  execution.result.thread_count = 2;
  execution.steps = steps;
  if (causality::is_sensible(execution)) trace::make_finding(builder->evidence(execution));
  for (; !kept.empty(); kept.pop_back()) {
    std::memcpy(memory + kept.back().offset, &kept.back().value, sizeof kept.back().value);
  }
}

void subtree(Bytes bytes) {
  // As the pool has it: aligned, and its own.
  std::vector<uint64_t> copy(bytes.size() / sizeof(uint64_t) + 1);
  if (!bytes.empty()) std::memcpy(copy.data(), bytes.data(), bytes.size());
  causality::Subtree subtree;
  if (!subtree.read({reinterpret_cast<const char*>(copy.data()), bytes.size()})) return;
  if (!causality::is_sensible(subtree)) return;
  const wire::SubtreeReport& report = subtree.report;
  uint64_t ended = report.finished + report.pruned;
  for (const wire::SubtreeFailures& one : subtree.failures) ended += one.failed;
  if (ended != report.counted) throw std::logic_error("executions that have not ended");
  explore::StateSet states;
  std::span<const char> rest = subtree.states, records;
  uint32_t execution = 0;
  while (causality::Subtree::next_states(&rest, &execution, &records)) {
    states.add(execution, records);
  }
  // What is left goes back to the fringe.
  for (const wire::SubtreeEntry& entry : subtree.entries) {
    if (entry.depth > subtree.decisions.size()) throw std::logic_error("a schedule without end");
  }
}

void part(Bytes bytes) {
  Reader reader(bytes);
  try {
    session::Part part = session::get_part(reader);
    reader.check(reader.left() == 0);
    session::Joined joined;
    joined.add(part, "part 1: ");
    joined.add(part);
    joined.begin_again();
    joined.add(part);
    joined.summary();
  } catch (const UserError&) {
  }
}

void task(Bytes bytes) {
  auto flags = take<uint8_t>(&bytes);
  Reader reader(bytes);
  try {
    explore::Bundle subtrees;
    subtrees.load(reader);
    reader.check(reader.left() == 0);
    explore::StrategyOptions options;
    if ((flags & 1) != 0) options.preemptions = 2;
    if ((flags & 2) != 0) options.delays = 3;
    explore::BundleSearch search(options, subtrees, 100);
    ask(search);
    search.statistics();
  } catch (const UserError&) {
  }
}

void shared(Bytes bytes) {
  bool is_assignment = take<uint8_t>(&bytes) % 2 == 0;
  try {
    if (is_assignment) {
      std::string packed =
          machines::pack([&](ByteWriter& out) { out.write(bytes.data(), bytes.size()); });
      machines::Assignment assignment = machines::Assignment::unpacked(packed);
      if (machines::Assignment::unpacked(assignment.packed()).command != assignment.command) {
        throw std::logic_error("an assignment is not what was written");
      }
      return;
    }
    Reader reader(bytes);
    machines::Collected collected;
    collected.load(reader);
    collected.summary(collected.judged(true), true);
    collected.begin_again();
  } catch (const UserError&) {
  }
}

}  // namespace heddle::readers
