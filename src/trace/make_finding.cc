#include "trace/make_finding.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "symbols/symbols.h"
#include "trace/cycle.h"
#include "trace/quote_source.h"
#include "trace/thread_paths.h"
#include "trace/turns.h"
#include "trace/waits.h"
#include "trace/words.h"
#include "wire/dependence.h"

namespace heddle::trace {
namespace {

using wire::Op;

// So many of the last steps are kept with their stacks, and so many of the decisions get a note.
constexpr size_t kLastSteps = 256;
constexpr size_t kNotes = 1000;
constexpr size_t kCycleSteps = 1000;  // kept of one round of a cycle
constexpr size_t kTransfers = 100;    // kept of those that a script has made
// Of more threads than this the stacks are left out: nobody reads them, and they are large.
constexpr size_t kThreadsWithStacks = 1000;

// The heap of the program under test: runtime/isolate/arena.h.
constexpr uint64_t kHeapBegin = 0x100000000000;
constexpr uint64_t kHeapEnd = 0x350000000000;

Op checked(Op op) { return static_cast<uint8_t>(op) < wire::kOpCount ? op : Op::fence; }

wire::Failure checked(wire::Failure kind) {
  constexpr uint8_t kCount = 0
#define HEDDLE_FAILURE(id, text) +1
      HEDDLE_FAILURES(HEDDLE_FAILURE)
#undef HEDDLE_FAILURE
      ;
  return static_cast<uint8_t>(kind) < kCount ? kind : wire::Failure::crash;
}

wire::Role checked(wire::Role role) {
  constexpr uint8_t kCount = 0
#define HEDDLE_ROLE(id, text) +1
      HEDDLE_ROLES(HEDDLE_ROLE)
#undef HEDDLE_ROLE
      ;
  return static_cast<uint8_t>(role) < kCount ? role : wire::Role::none;
}

wire::ThreadState checked(wire::ThreadState state) {
  return state <= wire::ThreadState::ended ? state : wire::ThreadState::unused;
}

const Place* first_foreign(const CallStack& stack) {
  auto found = std::ranges::find_if(stack, [](const Place& place) { return place.foreign; });
  return found != stack.end() ? &*found : nullptr;
}

// Of a failure that rests on what a library has done, or not done, that was not rebuilt.
std::string foreign_note(const Finding& finding) {
  const Place* place = nullptr;
  if (finding.kind == wire::Failure::data_race) {
    for (const Witness& witness : finding.witnesses) {
      if (place == nullptr) place = first_foreign(witness.stack);
    }
    if (place == nullptr) place = first_foreign(finding.stack);
    if (place == nullptr) return "";
    return fmt::format(
        "{0} was not rebuilt: what it orders is not seen, so this need not be a race. Build it "
        "with the wrappers, or give --suppress a file with the line data-race:{0}",
        place->module);
  }
  if (finding.kind != wire::Failure::hang) return "";
  for (const Place& inner : finding.stack) {
    if (!inner.system && !inner.foreign) break;
    if (inner.foreign) place = &inner;
  }
  if (place == nullptr) return "";
  return fmt::format(
      "{} was not rebuilt: its atomics are not seen, and a thread that waits for one keeps all "
      "others from going on. Build it with the wrappers",
      place->module);
}

uint32_t frame_count(const wire::Stack& stack) { return std::min(stack.count, wire::kFrames); }

class Maker {
 public:
  explicit Maker(const Evidence& evidence)
      : result_(evidence.result),
        steps_(evidence.steps),
        symbols_(evidence.modules),
        details_(evidence.details ? &*evidence.details : nullptr) {
    if (threads_known()) {
      paths_ = ThreadPaths(details_->threads);
    } else {
      paths_ = ThreadPaths(steps_);
    }
  }

  Finding make() {
    Finding finding;
    finding.kind = checked(result_.failure);
    finding.key = result_.failure_key;
    finding.steps = result_.step_count;
    finding.preemptions = result_.preemptions;
    finding.sequence = result_.sequence;
    failure(&finding);
    size_t first = steps_.size() - std::min(steps_.size(), kLastSteps);
    for (size_t i = first; i < steps_.size(); ++i) finding.last_steps.push_back(step(i));
    if (finding.kind == wire::Failure::livelock || finding.kind == wire::Failure::good_samaritan) {
      endless(&finding);
    }
    threads(&finding);
    transfers(&finding);
    decisions(&finding);
    finding.turns = turns_of({steps_, &finding, [this](size_t index) { return step(index); }});
    return finding;
  }

  DetailedStep step(size_t index) {
    const wire::Step raw = steps_[index];
    DetailedStep step;
    step.step = static_cast<uint32_t>(index);
    step.thread = paths_.path(raw.thread);
    step.op = checked(raw.op);
    step.outcome = raw.outcome;
    step.choice = raw.choice;
    step.options = raw.options;
    step.preemption = raw.choice >= raw.free_options && raw.choice != 0;
    step.yields = (raw.flags & (wire::kYields | wire::kSpins)) != 0;
    look_whether_in_vain(index, &step);
    const wire::StepDetail* detail = step_detail(index, raw.thread);
    if (detail == nullptr) {
      if (raw.pc != 0) step.stack = symbols_.places(raw.pc);
      return step;
    }
    step.object = object(detail->address, detail->stack, index, &step.naming);
    step.size = detail->size <= 8 ? detail->size : 0;
    step.before = detail->before;
    step.after = detail->after;
    if (step.size == sizeof(uint64_t)) {
      step.before_name = pointee(step.before, detail->stack);
      step.after_name = pointee(step.after, detail->stack);
    }
    step.stack = symbols_.stack(detail->stack);
    if (step.stack.empty() && raw.pc != 0) step.stack = symbols_.places(raw.pc);
    return step;
  }

 private:
  bool threads_known() const { return details_ != nullptr && !details_->threads.empty(); }

  void failure(Finding* finding) {
    if (details_ == nullptr) {
      if (result_.pc != 0) finding->stack = symbols_.places(result_.pc);
      return;
    }
    const wire::FailureDetail& raw = details_->failure;
    if (raw.thread != wire::kNoThread) finding->thread = paths_.path(raw.thread);
    finding->stack = symbols_.stack(raw.stack, raw.fault_pc == 1);
    if (finding->stack.empty() && result_.pc != 0 && finding->kind != wire::Failure::deadlock) {
      finding->stack = symbols_.places(result_.pc, raw.fault_pc == 1);
    }
    Naming ignored{};
    finding->object = object(details_->disputed, raw.stack, steps_.size(), &ignored);
    finding->message = message(raw, finding->object);
    for (const wire::Witness& raw_witness : details_->witnesses) {
      finding->witnesses.push_back(witness(raw_witness));
    }
    finding->note = foreign_note(*finding);
  }

  Witness witness(const wire::Witness& raw) {
    Witness witness;
    witness.role = checked(raw.role);
    if (raw.thread != wire::kNoThread) witness.thread = paths_.path(raw.thread);
    witness.size = raw.size;
    witness.stack = symbols_.stack(raw.stack);
    return witness;
  }

  static std::string message(const wire::FailureDetail& raw, const std::string& object) {
    std::string text(raw.message, strnlen(raw.message, sizeof raw.message));
    size_t mark = text.find(wire::kObjectMark);
    return mark == std::string::npos ? text : text.replace(mark, 1, object);
  }

  void endless(Finding* finding) {
    std::optional<Repetition> found = find_cycle(steps_);
    uint32_t proved = std::min<uint32_t>(result_.cycle, result_.step_count);
    finding->proved_cycle = proved;
    // It may have been proved before it has repeated.
    if (proved != 0 && proved <= steps_.size() && (!found || found->length != proved)) {
      found = Repetition{static_cast<uint32_t>(steps_.size()) - proved, proved, 1};
    }
    if (found) {
      finding->cycle = Cycle{found->begin, found->length, found->repeats, {}};
      // Its last whole round: there are details of the last steps alone.
      size_t begin = found->begin + size_t{found->length} * (found->repeats - 1);
      size_t end = begin + std::min<size_t>(found->length, kCycleSteps);
      for (size_t i = begin; i < end; ++i) finding->cycle->steps.push_back(step(i));
    }
    finding->waits = waits_of(found ? finding->cycle->steps : finding->last_steps);
  }

  // A try or wait that did not get what it was for.
  void look_whether_in_vain(size_t index, DetailedStep* step) const {
    const wire::Step raw = steps_[index];
    if (!wire::has(step->op, wire::kTries)) {
      step->in_vain = (raw.flags & wire::kPassesTime) != 0 && step->op != Op::sleep;
      return;
    }
    step->in_vain = (raw.flags & wire::kTakes) == 0;
    if (!step->in_vain) return;
    // Nobody holds a mutex for longer than this without another look at it, in what is shown.
    constexpr size_t kLookBack = 10000;
    for (size_t i = index; i-- > index - std::min(index, kLookBack);) {
      const wire::Step& other = steps_[i];
      bool here = other.object == raw.object || wire::second_of(other) == raw.object;
      if (here && (other.flags & wire::kTakes) != 0) {
        step->holder = paths_.path(other.thread);
        return;
      }
      if (here && wire::has(other.op, wire::kLetsGo)) return;
    }
  }

  // Null: there is none.
  const wire::StepDetail* step_detail(size_t index, uint32_t thread) const {
    if (details_ == nullptr) return nullptr;
    const std::vector<wire::StepDetail>& all = details_->steps;
    auto found = std::ranges::lower_bound(all, index, {}, &wire::StepDetail::step);
    if (found == all.end() || found->step != index || found->thread != thread) return nullptr;
    return &*found;
  }

  void decisions(Finding* finding) {
    for (size_t i = 0; i < steps_.size(); ++i) {
      const wire::Step raw = steps_[i];
      if (raw.choice != 0) {
        finding->decisions.push_back(
            {static_cast<uint32_t>(i), raw.choice, paths_.path(raw.thread), ""});
      }
    }
    size_t count = finding->decisions.size();
    for (size_t i = count - std::min(count, kNotes); i < count; ++i) {
      finding->decisions[i].note = note(finding->decisions[i].step, finding->threads);
    }
  }

  // "T2 preempts T1, before: lock mutex forks[1], philosophers.cc:17"
  std::string note(uint32_t index, const std::vector<ThreadAtEnd>& at_end) {
    DetailedStep taken = step(index);
    uint32_t before = index > 0 ? steps_[index - 1].thread : wire::kNoThread;
    std::string name = thread_name(taken.thread);
    if (before == steps_[index].thread || before == wire::kNoThread)
      return name + ": " + words_and_place(taken);
    if (!taken.preemption) return name + " goes next: " + words_and_place(taken);
    std::string text = name + " preempts " + thread_name(paths_.path(before));
    std::string next = next_words(before, index, at_end);
    return next.empty() ? text : text + ", before: " + next;
  }

  // What the thread is about to do before this step; empty: nothing more.
  std::string next_words(uint32_t index, size_t from, const std::vector<ThreadAtEnd>& at_end) {
    if (std::optional<size_t> next = next_step_of(index, from)) return words_and_place(step(*next));
    // It never came to it: a deadlock, or another thread failed first.
    if (index >= at_end.size() || at_end[index].state == wire::ThreadState::ended) return "";
    const ThreadAtEnd& thread = at_end[index];
    const Place* place = user_place(thread.stack);
    std::string text = operation_words(thread.pending, thread.object);
    return place != nullptr ? text + ", " + short_place(*place) : text;
  }

  void transfers(Finding* finding) {
    std::vector<size_t> made;
    for (size_t i = 1; i < steps_.size(); ++i) {
      if (steps_[i].op == Op::transfer) made.push_back(i);
    }
    for (size_t k = made.size() - std::min(made.size(), kTransfers); k < made.size(); ++k) {
      uint32_t thread = steps_[made[k] - 1].thread;
      finding->transfers.push_back({step(made[k]).stack, paths_.path(thread),
                                    next_words(thread, made[k], finding->threads)});
    }
  }

  // What the thread was about to do. A schedule may have many notes: none looks further than this.
  std::optional<size_t> next_step_of(uint32_t thread, size_t from) const {
    constexpr size_t kLookAhead = 10000;
    size_t end = std::min(steps_.size(), from + kLookAhead);
    for (size_t i = from; i < end; ++i) {
      if (steps_[i].thread == thread) return i;
    }
    return {};
  }

  static std::string words_and_place(DetailedStep step) {
    step.size = 0;  // values are no part of a decision
    std::string text = step_words(step);
    const Place* place = user_place(step.stack);
    bool is_news =
        place != nullptr && (!place->system || (step.op != Op::begin && step.op != Op::end));
    return is_news ? text + ", " + short_place(*place) : text;
  }

  void threads(Finding* finding) {
    if (!threads_known()) return;
    auto count = static_cast<uint32_t>(details_->threads.size());
    for (uint32_t i = 0; i < count; ++i) {
      const wire::ThreadDetail& raw = details_->threads[i];
      ThreadAtEnd thread;
      thread.thread = paths_.path(i);
      thread.name = std::string(raw.name, strnlen(raw.name, sizeof raw.name));
      thread.state = checked(raw.state);
      thread.pending = checked(raw.pending);
      if (thread.state != wire::ThreadState::ended) {
        thread.object = object(raw.address, raw.stack, steps_.size(), &thread.naming);
        if (raw.holder < count) thread.holder = paths_.path(raw.holder);
        if (i < kThreadsWithStacks) thread.stack = symbols_.stack(raw.stack);
      }
      finding->threads.push_back(std::move(thread));
    }
    for (const wire::StepDetail& detail : details_->steps) entry(detail, &finding->threads);
  }

  // The outermost of the user's functions on the stack of a thread, if that is whole.
  void entry(const wire::StepDetail& detail, std::vector<ThreadAtEnd>* threads) {
    bool is_whole = detail.stack.count > 0 && detail.stack.count < wire::kFrames;
    if (!is_whole || detail.thread >= threads->size()) return;
    std::string& entry = (*threads)[detail.thread].entry;
    if (!entry.empty()) return;
    for (const Place& place : symbols_.stack(detail.stack)) {
      if (!place.system && !place.function.empty()) entry = place.function;
    }
  }

  // `stack` is that of the thread whose operation it is; `step` the one that it is at, or would
  // have been.
  std::string object(uint64_t address, const wire::Stack& stack, size_t step, Naming* naming) {
    *naming = Naming::none;
    if (address == 0) return "";
    if (const std::string* path = paths_.path_of_object(address)) return thread_name(*path);
    if (wire::is_descriptor_address(address)) {
      return fmt::format("{} ({})", wire::descriptor_number(address),
                         wire::descriptor_name(wire::descriptor_kind(address)));
    }
    std::string name = given_name(address, step);
    *naming = Naming::given;
    if (!name.empty()) return name;
    name = symbols_.variable_name(address, Aim::part);
    *naming = symbols_.is_at_top(address) ? Naming::variable : Naming::inner;
    if (!name.empty()) return name;
    *naming = Naming::none;
    name = symbols_.variable(address);  // "module+0x1234"
    if (!name.empty()) return name;
    name = local_variable(address, Aim::part, stack);
    *naming = name.empty() ? Naming::none : Naming::local;
    if (!name.empty()) return name;
    bool heap = address >= kHeapBegin && address < kHeapEnd;
    return fmt::format("{}{:#x}", heap ? "heap " : "", address);
  }

  // By heddle::name: "head", or "ring+8" in the middle of it.
  std::string given_name(uint64_t address, size_t step) const {
    if (details_ == nullptr) return "";
    for (const wire::NamedObject& raw : details_->names) {
      if (address - raw.address >= raw.size || step < raw.begin || step >= raw.end) continue;
      std::string name(raw.name, strnlen(raw.name, sizeof raw.name));
      return address == raw.address ? name : fmt::format("{}+{}", name, address - raw.address);
    }
    return "";
  }

  // "&nodes[2]", if the value is the address of a variable that has a name.
  std::string pointee(uint64_t value, const wire::Stack& stack) {
    constexpr uint64_t kFirstPages = 65536;  // never mapped: a small number
    if (value < kFirstPages) return "";
    std::string name = symbols_.variable_name(value, Aim::whole);
    if (name.empty()) name = local_variable(value, Aim::whole, stack);
    return name.empty() ? "" : "&" + name;
  }

  // In the thread's own frames, or in those where some thread was in the end: main's locals, which
  // the others share.
  std::string local_variable(uint64_t address, Aim aim, const wire::Stack& own) {
    auto name_in = [&](const wire::Stack& stack) {
      std::span<const uint64_t> pcs(stack.pc, frame_count(stack));
      std::span<const uint64_t> sps(stack.sp, pcs.size() + 1);
      return symbols_.local_variable(address, aim, pcs, sps);
    };
    std::string name = name_in(own);
    if (!threads_known()) return name;
    size_t count = std::min<size_t>(details_->threads.size(), kThreadsWithStacks);
    for (size_t i = 0; i < count && name.empty(); ++i) name = name_in(details_->threads[i].stack);
    return name;
  }

  const wire::Result& result_;
  std::span<const wire::Step> steps_;
  Symbols symbols_;
  const Details* details_;  // null: none of this execution
  ThreadPaths paths_;
};

}  // namespace

Finding make_finding(const Evidence& evidence) {
  Finding finding = Maker(evidence).make();
  finding.output = evidence.output;
  quote_source(&finding);
  return finding;
}

std::vector<DetailedStep> make_steps(const Evidence& evidence, std::span<const uint32_t> numbers) {
  Maker maker(evidence);
  std::vector<DetailedStep> steps;
  for (uint32_t number : numbers) {
    if (number < evidence.steps.size()) steps.push_back(maker.step(number));
  }
  return steps;
}

std::string describe_step(const Modules& modules, std::span<const wire::Step> steps,
                          uint32_t step) {
  if (step >= steps.size()) return "the end of the execution";
  const wire::Step raw = steps[step];
  ThreadPaths paths(steps.first(step + 1));
  std::string text = thread_name(paths.path(raw.thread)) + ": " + op_words(checked(raw.op));
  if (raw.pc == 0) return text;
  CallStack stack = Symbols(modules).places(raw.pc);
  return text + ", " + short_place(*user_place(stack));
}

namespace {

// A function of libc as programs call it: "__libc_read" is read.
std::string public_name(std::string name) {
  for (const char* prefix : {"__GI_", "_IO_", "__libc_", "__"}) {
    if (name.starts_with(prefix)) name.erase(0, std::strlen(prefix));
  }
  return name.substr(0, name.find_first_of("@("));
}

// A thread that waits in the kernel: in a function of libc, or in a library that goes around it.
Unsupported describe_blocked(const CallStack& stack) {
  // The outermost function of libc is the one that was called.
  const Place* inner = nullptr;
  for (const Place& place : stack) {
    if (!place.module.starts_with("libc.so")) break;
    if (!place.function.empty()) inner = &place;
  }
  if (inner != nullptr) {
    return {public_name(inner->function) + ", which blocks in the kernel",
            "pipes, socket pairs and TCP on the loopback are supported where the test makes them "
            "itself; else put a function that the test replaces around the call"};
  }
  const Place* place = stack.empty() ? nullptr : &stack.front();
  if (place != nullptr && place->foreign) {
    return {fmt::format("a call of {} that blocks in the kernel", place->module),
            fmt::format("{} was not rebuilt, and goes around libc: build it with the wrappers, or "
                        "leave it out of the test",
                        place->module)};
  }
  return {"a wait for a descriptor that the test has not made itself",
          "pipes, socket pairs and TCP on the loopback are supported where the test makes them "
          "itself"};
}

}  // namespace

Unsupported describe_unsupported(const Evidence& evidence) {
  const std::string& text = evidence.unsupported;
  size_t line_break = text.find('\n');
  Unsupported what{text.substr(0, line_break), ""};
  if (line_break != std::string::npos) what.hint = text.substr(line_break + 1);
  if (what.words.empty()) what.words = "something that has no name";
  CallStack stack = Symbols(evidence.modules).stack(evidence.unsupported_at);
  if (what.words == wire::kBlocked) what = describe_blocked(stack);
  const Place* place = user_place(stack);
  if (place != nullptr) what.words += fmt::format(", at {}", short_place(*place));
  return what;
}

}  // namespace heddle::trace
