#include "trace/make_timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/hash.h"
#include "trace/words.h"
#include "wire/dependence.h"

namespace heddle::trace {
namespace {

using wire::Op;

// The heap of the program under test: runtime/isolate/arena.h.
constexpr uint64_t kHeapBegin = 0x100000000000;
constexpr uint64_t kHeapEnd = 0x350000000000;

const wire::Stack kNoStack{};

bool is_on_heap(uint64_t address) { return address >= kHeapBegin && address < kHeapEnd; }

uint32_t frame_count(const wire::Stack& stack) { return std::min(stack.count, wire::kFrames); }

uint64_t hash_of(const wire::Stack& stack) {
  uint64_t hash = frame_count(stack);
  for (uint32_t i = 0; i < frame_count(stack); ++i) {
    hash = mix(mix(hash, stack.pc[i]), stack.sp[i]);
  }
  return mix(hash, stack.sp[frame_count(stack)]);
}

}  // namespace

Op known_op(Op op) { return static_cast<uint8_t>(op) < wire::kOpCount ? op : Op::fence; }

StepMaker::StepMaker(const Evidence& evidence)
    : steps_(evidence.steps),
      option_threads_(evidence.option_threads),
      symbols_(evidence.modules),
      details_(evidence.details ? &*evidence.details : nullptr),
      paths_(threads_known() ? ThreadPaths(details_->threads) : ThreadPaths(steps_)),
      tables_(&timeline_) {
  timeline_.first = evidence.result.first_step;
  size_t threads = paths_.size();
  for (const wire::Step& step : steps_) threads = std::max<size_t>(threads, step.thread + 1u);
  for (uint16_t thread : option_threads_) threads = std::max<size_t>(threads, thread + 1u);
  for (uint32_t i = 0; i < threads; ++i) timeline_.threads.push_back(paths_.path(i));
  if (!threads_known()) return;
  size_t shown = std::min<size_t>(details_->threads.size(), kThreadsWithStacks);
  for (size_t i = 0; i < shown; ++i) {
    const wire::Stack& stack = details_->threads[i].stack;
    at_.push_back({&stack, hash_of(stack)});
  }
}

void StepMaker::make_all() {
  timeline_.steps.reserve(steps_.size());
  const std::vector<At> in_the_end = at_;
  find_stacks_of_threads();
  for (size_t i = 0; i < steps_.size(); ++i) {
    TimelineStep step = entry(i);
    add_enabled(i, &step);
    timeline_.steps.push_back(step);
    go_on(i);
  }
  at_ = in_the_end;
}

// A thread stands where it makes its next step. One that makes none is where it is in the end.
void StepMaker::find_stacks_of_threads() {
  steps_of_.assign(at_.size(), {});
  for (size_t i = steps_.size(); i-- > 0;) {
    if (steps_[i].thread < at_.size()) {
      steps_of_[steps_[i].thread].push_back(static_cast<uint32_t>(i));
    }
  }
  for (size_t i = 0; i < at_.size(); ++i) stand_at_next(i);
}

void StepMaker::stand_at_next(size_t thread) {
  if (steps_of_[thread].empty()) {
    const wire::Stack& stack = details_->threads[thread].stack;
    at_[thread] = {&stack, hash_of(stack)};
    return;
  }
  auto number = static_cast<uint32_t>(thread);
  std::optional<Detail> found = detail(steps_of_[thread].back(), number);
  const wire::Stack& stack = found && found->stack != nullptr ? *found->stack : kNoStack;
  at_[thread] = {&stack, hash_of(stack)};
}

// Behind a step that was made.
void StepMaker::go_on(size_t index) {
  size_t thread = steps_[index].thread;
  if (thread >= at_.size()) return;
  steps_of_[thread].pop_back();
  stand_at_next(thread);
}

DetailedStep StepMaker::step(size_t index) {
  if (index < timeline_.size()) return timeline_.step(index);
  return timeline_.detailed(entry(index), timeline_.first + static_cast<uint32_t>(index));
}

TimelineStep StepMaker::entry(size_t index) {
  const wire::Step& raw = steps_[index];
  TimelineStep step{};
  step.thread = raw.thread;
  step.op = known_op(raw.op);
  step.outcome = raw.outcome;
  step.choice = raw.choice;
  step.options = raw.options;
  step.cause = raw.after;
  if (raw.choice >= raw.free_options && raw.choice != 0) step.flags |= TimelineStep::kPreemption;
  if ((raw.flags & (wire::kYields | wire::kSpins)) != 0) step.flags |= TimelineStep::kYields;
  look_whether_in_vain(index, &step);
  if (std::optional<Detail> found = detail(index, raw.thread)) add_detail(*found, index, &step);
  if (step.stack == 0 && raw.pc != 0) step.stack = place_number(raw.pc);
  return step;
}

std::optional<StepMaker::Detail> StepMaker::detail(size_t index, uint32_t thread) const {
  if (details_ == nullptr) return std::nullopt;
  auto last = std::ranges::lower_bound(details_->steps, index, {}, &wire::StepDetail::step);
  if (last != details_->steps.end() && last->step == index && last->thread == thread) {
    return Detail{last->address, last->before, last->after, last->size, &last->stack};
  }
  auto early = std::ranges::lower_bound(details_->early, index, {}, &wire::EarlyStep::step);
  if (early == details_->early.end() || early->step != index || early->thread != thread) {
    return std::nullopt;
  }
  bool has_stack = early->stack != 0 && early->stack <= details_->early_stacks.size();
  return Detail{early->address, early->before, early->after, early->size,
                has_stack ? &details_->early_stacks[early->stack - 1] : nullptr};
}

void StepMaker::add_detail(const Detail& detail, size_t index, TimelineStep* step) {
  const wire::Stack& stack = detail.stack != nullptr ? *detail.stack : kNoStack;
  At own{&stack, hash_of(stack)};
  Named object = named(detail.address, own, index);
  step->object = object.name;
  step->naming = object.naming;
  step->size = detail.size <= 8 ? detail.size : 0;
  step->before = detail.before;
  step->after = detail.after;
  if (step->size == sizeof(uint64_t)) {
    step->before_name = pointee(step->before, own);
    step->after_name = pointee(step->after, own);
  }
  step->stack = stack_number(stack);
  if (detail.stack != nullptr) step->flags |= TimelineStep::kDetailed;
}

// The options of one thread, one for each of its outcomes, follow each other.
void StepMaker::add_enabled(size_t index, TimelineStep* step) {
  std::vector<uint32_t>& enabled = timeline_.enabled;
  size_t begin = enabled.size();
  size_t end = options_read_ + steps_[index].options;
  bool is_known = end <= option_threads_.size();
  for (; is_known && options_read_ < end; ++options_read_) {
    uint32_t thread = option_threads_[options_read_];
    if (enabled.size() == begin || enabled.back() != thread) enabled.push_back(thread);
  }
  step->enabled_end = static_cast<uint32_t>(enabled.size());
}

// A try or wait that did not get what it was for.
void StepMaker::look_whether_in_vain(size_t index, TimelineStep* step) {
  const wire::Step& raw = steps_[index];
  bool in_vain = (raw.flags & wire::kPassesTime) != 0 && step->op != Op::sleep;
  bool tries = wire::has(step->op, wire::kTries);
  if (tries) in_vain = (raw.flags & wire::kTakes) == 0;
  if (!in_vain) return;
  step->flags |= TimelineStep::kInVain;
  if (!tries) return;
  if (std::optional<uint32_t> holder = holder_before(index)) {
    step->holder = tables_.name(paths_.path(*holder));
  }
}

std::optional<uint32_t> StepMaker::holder_before(size_t index) {
  if (index < holders_at_) {
    holders_.clear();
    holders_at_ = 0;
  }
  for (; holders_at_ < index; ++holders_at_) {
    const wire::Step& step = steps_[holders_at_];
    for (uint64_t object : {step.object, wire::second_of(step)}) {
      if (object == 0) continue;
      if ((step.flags & wire::kTakes) != 0) {
        holders_[object] = step.thread;
      } else if (wire::has(known_op(step.op), wire::kLetsGo)) {
        holders_.erase(object);
      }
    }
  }
  auto found = holders_.find(steps_[index].object);
  return found != holders_.end() ? std::optional(found->second) : std::nullopt;
}

uint32_t StepMaker::stack_number(const wire::Stack& stack) {
  std::vector<uint64_t> pcs(stack.pc, stack.pc + frame_count(stack));
  auto [found, is_new] = stacks_.emplace(std::move(pcs), 0);
  if (is_new) found->second = tables_.stack(symbols_.stack(stack));
  return found->second;
}

uint32_t StepMaker::place_number(uint64_t pc) {
  auto [found, is_new] = places_.emplace(pc, 0);
  if (is_new) found->second = tables_.stack(symbols_.places(pc));
  return found->second;
}

StepMaker::Named StepMaker::named(uint64_t address, const At& own, size_t step) {
  if (address == 0) return {};
  std::string given = given_name(address, step);
  if (!given.empty()) return {tables_.name(given), Naming::given};
  Named found = anywhere(address);
  if (found.name != 0) return found;
  if (uint32_t name = local(address, Aim::part, own)) return {name, Naming::local};
  bool heap = is_on_heap(address);
  return {tables_.name(fmt::format("{}{:#x}", heap ? "heap " : "", address)), Naming::none};
}

// What has a name wherever the threads are.
StepMaker::Named StepMaker::anywhere(uint64_t address) {
  auto [found, is_new] = objects_.emplace(address, Named{});
  Named& named = found->second;
  if (!is_new) return named;
  if (const std::string* path = paths_.path_of_object(address)) {
    named.name = tables_.name(thread_name(*path));
  } else if (wire::is_descriptor_address(address)) {
    named.name = tables_.name(fmt::format("{} ({})", wire::descriptor_number(address),
                                          wire::descriptor_name(wire::descriptor_kind(address))));
  } else if (std::string name = symbols_.variable_name(address, Aim::part); !name.empty()) {
    named.name = tables_.name(name);
    named.naming = symbols_.is_at_top(address) ? Naming::variable : Naming::inner;
  } else {
    named.name = tables_.name(symbols_.variable(address));  // "module+0x1234"
  }
  return named;
}

// By heddle::name: "head", or "ring+8" in the middle of it.
std::string StepMaker::given_name(uint64_t address, size_t step) const {
  if (details_ == nullptr) return "";
  for (const wire::NamedObject& raw : details_->names) {
    if (address - raw.address >= raw.size || step < raw.begin || step >= raw.end) continue;
    std::string name(raw.name, strnlen(raw.name, sizeof raw.name));
    return address == raw.address ? name : fmt::format("{}+{}", name, address - raw.address);
  }
  return "";
}

// "&nodes[2]", if the value is the address of a variable that has a name.
uint32_t StepMaker::pointee(uint64_t value, const At& own) {
  constexpr uint64_t kFirstPages = 65536;  // never mapped: a small number
  if (value < kFirstPages) return 0;
  auto [found, is_new] = pointers_.emplace(value, 0);
  if (is_new) {
    std::string name = symbols_.variable_name(value, Aim::whole);
    if (!name.empty()) found->second = tables_.name("&" + name);
  }
  if (found->second != 0) return found->second;
  uint32_t name = local(value, Aim::whole, own);
  return name != 0 ? tables_.name("&" + timeline_.names[name]) : 0;
}

// In the thread's own frames, or in those where some thread is: main's locals, which the others
// share. 0: there is none.
uint32_t StepMaker::local(uint64_t address, Aim aim, const At& own) {
  if (is_on_heap(address)) return 0;
  uint32_t name = local_in(address, aim, own);
  for (size_t i = 0; i < at_.size() && name == 0; ++i) name = local_in(address, aim, at_[i]);
  return name;
}

uint32_t StepMaker::local_in(uint64_t address, Aim aim, const At& at) {
  const wire::Stack& stack = *at.stack;
  if (stack.count == 0) return 0;
  auto [found, is_new] = locals_[aim == Aim::part ? 0 : 1].emplace(AtStack{address, at.hash}, 0);
  if (is_new) {
    std::span<const uint64_t> pcs(stack.pc, frame_count(stack));
    std::span<const uint64_t> sps(stack.sp, pcs.size() + 1);
    found->second = tables_.name(symbols_.local_variable(address, aim, pcs, sps));
  }
  return found->second;
}

std::string StepMaker::pointer(uint64_t value, const wire::Stack& stack) {
  return timeline_.names[pointee(value, {&stack, hash_of(stack)})];
}

std::string StepMaker::object(uint64_t address, const wire::Stack& stack, size_t step,
                              Naming* naming) {
  Named found = named(address, {&stack, hash_of(stack)}, step);
  *naming = found.naming;
  return timeline_.names[found.name];
}

}  // namespace heddle::trace
