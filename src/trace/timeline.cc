#include "trace/timeline.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle::trace {

TimelineTables::TimelineTables(Timeline* timeline) : timeline_(*timeline) {
  timeline_.names.resize(1);
  timeline_.stacks.resize(1);
  names_.emplace("", 0);
  stacks_.emplace(std::vector<uint32_t>{}, 0);
}

uint32_t TimelineTables::name(const std::string& text) {
  auto [found, is_new] = names_.emplace(text, static_cast<uint32_t>(timeline_.names.size()));
  if (is_new) timeline_.names.push_back(text);
  return found->second;
}

uint32_t TimelineTables::thread(const std::string& path) {
  auto [found, is_new] = threads_.emplace(path, static_cast<uint32_t>(timeline_.threads.size()));
  if (is_new) timeline_.threads.push_back(path);
  return found->second;
}

uint32_t TimelineTables::place(const Place& place) {
  std::string key =
      fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}", place.function, place.file, place.line,
                  place.column, place.module, place.offset, place.system, place.foreign);
  auto [found, is_new] =
      places_.emplace(std::move(key), static_cast<uint32_t>(timeline_.places.size()));
  if (is_new) timeline_.places.push_back(place);
  return found->second;
}

uint32_t TimelineTables::stack(const CallStack& stack) {
  std::vector<uint32_t> numbers;
  numbers.reserve(stack.size());
  for (const Place& one : stack) numbers.push_back(place(one));
  auto [found, is_new] =
      stacks_.emplace(std::move(numbers), static_cast<uint32_t>(timeline_.stacks.size()));
  if (is_new) timeline_.stacks.push_back(found->first);
  return found->second;
}

Timeline::Timeline(std::span<const DetailedStep> all) {
  TimelineTables tables(this);
  if (!all.empty()) first = all.front().step;
  for (const DetailedStep& from : all) {
    TimelineStep& to = steps.emplace_back();
    to = {};
    to.before = from.before;
    to.after = from.after;
    to.thread = tables.thread(from.thread);
    to.object = tables.name(from.object);
    to.before_name = tables.name(from.before_name);
    to.after_name = tables.name(from.after_name);
    to.stack = tables.stack(from.stack);
    to.holder = tables.name(from.holder);
    to.choice = from.choice;
    to.options = from.options;
    to.cause = wire::kNoStep;
    auto flag = [](bool is, TimelineStep::Flags bit) { return is ? bit : 0; };
    to.flags =
        static_cast<uint16_t>(flag(from.preemption, TimelineStep::kPreemption) |
                              flag(from.yields, TimelineStep::kYields) |
                              flag(from.in_vain, TimelineStep::kInVain) | TimelineStep::kDetailed);
    to.op = from.op;
    to.outcome = from.outcome;
    to.size = from.size;
    to.naming = from.naming;
  }
}

CallStack Timeline::stack(uint32_t number) const {
  CallStack stack;
  for (uint32_t place : stacks[number]) stack.push_back(places[place]);
  return stack;
}

const Place* Timeline::user_place(size_t index) const { return user_place_of(steps[index].stack); }

const Place* Timeline::user_place_of(uint32_t stack) const { return place_of(stacks[stack]); }

std::vector<Place*> Timeline::user_places() {
  std::vector<Place*> found;
  for (const std::vector<uint32_t>& stack : stacks) {
    const Place* place = place_of(stack);
    if (place != nullptr) found.push_back(&places[static_cast<size_t>(place - places.data())]);
  }
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

// As symbols::user_place, for which the stack would have to be put together first.
const Place* Timeline::place_of(const std::vector<uint32_t>& stack) const {
  const Place* other = nullptr;
  for (uint32_t number : stack) {
    const Place& place = places[number];
    if (place.system) continue;
    if (place.line > 0) return &place;
    if (other == nullptr) other = &place;
  }
  if (other != nullptr) return other;
  return stack.empty() ? nullptr : &places[stack.front()];
}

DetailedStep Timeline::step(size_t index) const {
  return detailed(steps[index], first + static_cast<uint32_t>(index));
}

DetailedStep Timeline::detailed(const TimelineStep& from, uint32_t number) const {
  DetailedStep to;
  to.step = number;
  to.thread = threads[from.thread];
  to.op = from.op;
  to.outcome = from.outcome;
  to.choice = from.choice;
  to.options = from.options;
  to.preemption = from.is(TimelineStep::kPreemption);
  to.object = names[from.object];
  to.naming = from.naming;
  to.size = from.size;
  to.before = from.before;
  to.after = from.after;
  to.before_name = names[from.before_name];
  to.after_name = names[from.after_name];
  to.yields = from.is(TimelineStep::kYields);
  to.in_vain = from.is(TimelineStep::kInVain);
  to.holder = names[from.holder];
  to.stack = stack(from.stack);
  return to;
}

std::vector<DetailedStep> Timeline::last(size_t count) const {
  std::vector<DetailedStep> found;
  for (size_t i = size() - std::min(size(), count); i < size(); ++i) found.push_back(step(i));
  return found;
}

std::span<const uint32_t> Timeline::enabled_at(size_t index) const {
  uint32_t begin = index == 0 ? 0 : steps[index - 1].enabled_end;
  return {enabled.data() + begin, enabled.data() + steps[index].enabled_end};
}

bool Timeline::is_switch(size_t index) const {
  return index > 0 && steps[index].thread != steps[index - 1].thread;
}

bool is_sound(const Timeline& timeline) {
  auto below = [](size_t end) { return [end](uint32_t number) { return number < end; }; };
  for (const std::vector<uint32_t>& stack : timeline.stacks) {
    if (!std::ranges::all_of(stack, below(timeline.places.size()))) return false;
  }
  if (!std::ranges::all_of(timeline.enabled, below(timeline.threads.size()))) return false;
  uint32_t enabled = 0;
  size_t names = timeline.names.size();
  for (const TimelineStep& step : timeline.steps) {
    if (step.thread >= timeline.threads.size() || step.stack >= timeline.stacks.size() ||
        step.object >= names || step.before_name >= names || step.after_name >= names ||
        step.holder >= names || static_cast<uint8_t>(step.op) >= wire::kOpCount ||
        step.naming > Naming::inner || step.enabled_end < enabled ||
        step.enabled_end > timeline.enabled.size()) {
      return false;
    }
    enabled = step.enabled_end;
  }
  return true;
}

}  // namespace heddle::trace
