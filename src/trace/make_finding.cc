#include "trace/make_finding.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <optional>

#include "symbols/symbols.h"
#include "trace/cycle.h"
#include "trace/deadlock.h"
#include "trace/make_timeline.h"
#include "trace/printed_failure.h"
#include "trace/quote_source.h"
#include "trace/turns.h"
#include "trace/waits.h"
#include "trace/words.h"
#include "wire/dependence.h"

namespace heddle::trace {
namespace {

using wire::Op;

constexpr size_t kLastSteps = 256;    // in which threads look for something in vain
constexpr size_t kNotes = 1000;       // so many of the decisions get one
constexpr size_t kCycleSteps = 1000;  // kept of one round of a cycle
constexpr size_t kTransfers = 100;    // kept of those that a script has made

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

class Maker {
 public:
  explicit Maker(const Evidence& evidence)
      : result_(evidence.result),
        steps_(evidence.steps),
        details_(evidence.details ? &*evidence.details : nullptr),
        maker_(evidence),
        symbols_(maker_.symbols()),
        paths_(maker_.paths()) {}

  Finding make() {
    Finding finding;
    finding.kind = checked(result_.failure);
    finding.key = result_.failure_key;
    finding.steps = result_.step_count;
    finding.preemptions = result_.preemptions;
    for (size_t i = 1; i < steps_.size(); ++i) {
      finding.switches += steps_[i].thread != steps_[i - 1].thread ? 1 : 0;
    }
    finding.found = {finding.steps, finding.preemptions, finding.switches};
    finding.sequence = result_.sequence;
    maker_.make_all();
    failure(&finding);
    if (finding.kind == wire::Failure::livelock || finding.kind == wire::Failure::good_samaritan) {
      endless(&finding);
    }
    threads(&finding);
    if (finding.kind == wire::Failure::deadlock) {
      std::string words = deadlock_words(finding.threads);
      if (!words.empty()) finding.message = std::move(words);
    }
    transfers(&finding);
    decisions(&finding);
    finding.turns = turns_of({steps_, &finding, [this](size_t index) { return step(index); }});
    finding.timeline = maker_.take();
    return finding;
  }

 private:
  DetailedStep step(size_t index) { return maker_.step(index); }

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
    finding->object = maker_.object(details_->disputed, raw.stack, steps_.size(), &ignored);
    finding->message = message(raw, finding->object);
    if (finding->kind == wire::Failure::assertion) name_pointers(raw.stack, &finding->message);
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

  // What HEDDLE_ASSERT has compared, behind "' failed: ": &first for the address of a variable.
  void name_pointers(const wire::Stack& stack, std::string* text) {
    constexpr std::string_view kBefore = "' failed: ";
    constexpr std::string_view kHexadecimal = "0123456789abcdef";
    size_t at = text->rfind(kBefore);
    if (at == std::string::npos) return;
    while ((at = text->find(" 0x", at)) != std::string::npos) {
      size_t begin = at + 1;
      size_t end = std::min(text->find_first_not_of(kHexadecimal, begin + 2), text->size());
      uint64_t address = 0;
      std::from_chars(text->data() + begin + 2, text->data() + end, address, 16);
      std::string name = maker_.pointer(address, stack);
      if (!name.empty()) text->replace(begin, end - begin, name);
      at = begin;
    }
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
    finding->waits = waits_of(found ? finding->cycle->steps : maker_.timeline().last(kLastSteps));
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
      if ((steps_[made[k]].flags & wire::kInterleaved) != 0) {
        finding->transfers.push_back({step(made[k]).stack, "", ""});
        continue;
      }
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
    if (!maker_.threads_known()) return;
    auto count = static_cast<uint32_t>(details_->threads.size());
    for (uint32_t i = 0; i < count; ++i) {
      const wire::ThreadDetail& raw = details_->threads[i];
      ThreadAtEnd thread;
      thread.thread = paths_.path(i);
      thread.name = std::string(raw.name, strnlen(raw.name, sizeof raw.name));
      thread.state = checked(raw.state);
      thread.pending = known_op(raw.pending);
      if (thread.state != wire::ThreadState::ended) {
        thread.object = maker_.object(raw.address, raw.stack, steps_.size(), &thread.naming);
        if (raw.holder < count) thread.holder = paths_.path(raw.holder);
        if (i < kThreadsWithStacks) thread.stack = symbols_.stack(raw.stack);
      }
      finding->threads.push_back(std::move(thread));
    }
    for (const wire::EarlyStep& early : details_->early) {
      bool has_stack = early.stack != 0 && early.stack <= details_->early_stacks.size();
      if (has_stack) entry(early.thread, details_->early_stacks[early.stack - 1], finding);
    }
    for (const wire::StepDetail& last : details_->steps) entry(last.thread, last.stack, finding);
  }

  // The outermost of the user's functions on the stack of a thread, if that is whole.
  void entry(uint32_t thread, const wire::Stack& stack, Finding* finding) {
    bool is_whole = stack.count > 0 && stack.count < wire::kFrames;
    if (!is_whole || thread >= finding->threads.size()) return;
    std::string& entry = finding->threads[thread].entry;
    if (!entry.empty()) return;
    for (const Place& place : symbols_.stack(stack)) {
      if (!place.system && !place.function.empty()) entry = place.function;
    }
  }

  const wire::Result& result_;
  std::span<const wire::Step> steps_;
  const Details* details_;  // null: none of this execution
  StepMaker maker_;
  Symbols& symbols_;
  const ThreadPaths& paths_;
};

}  // namespace

Finding make_finding(const Evidence& evidence) {
  Finding finding = Maker(evidence).make();
  finding.output = evidence.output;
  tell_assertion(&finding);
  quote_source(&finding);
  return finding;
}

std::vector<DetailedStep> make_steps(const Evidence& evidence, std::span<const uint32_t> numbers) {
  StepMaker maker(evidence);
  maker.make_all();  // where each thread stood then, and so what the variables of its functions are
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
  std::string text = thread_name(paths.path(raw.thread)) + ": " + op_words(known_op(raw.op));
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
