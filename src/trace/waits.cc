#include "trace/waits.h"

#include <algorithm>
#include <map>

#include "trace/words.h"

namespace heddle::trace {
namespace {

using wire::Op;

constexpr size_t kLooks = 3;  // told of a thread

bool is_yield(const DetailedStep& step) {
  return step.yields || wire::has(step.op, wire::kOnlyYields);
}

bool is_unchanged(const DetailedStep& step) { return step.size != 0 && step.before == step.after; }

// "reads flag: 0", "tries to lock mutex forks[1], held by T2"; empty if the step is no look.
std::string words_of_look(const DetailedStep& step) {
  if (wire::has(step.op, wire::kOnlyYields)) return "";
  std::string look = look_words(step.op, step.object);
  if (look.empty()) {
    if (step.in_vain) return operation_words(step.op, step.object) + ", without success";
    return step.yields ? "tries to " + operation_words(step.op, step.object) : "";
  }
  if (wire::has(step.op, wire::kTries)) {
    if (!step.in_vain) return "";
    std::string held = step.holder.empty() ? "" : ", held by " + thread_name(step.holder);
    return look + held + wire::words_of(step.op).gives_up;
  }
  // An update that has changed something is none.
  if (wire::op_effect(step.op) != 'r' && !is_unchanged(step)) return "";
  if (step.size == 0) return look;
  std::string value =
      step.before_name.empty() ? value_words(step.before, step.size) : step.before_name;
  return look + (step.object.empty() ? " " : ": ") + value;
}

// Of a thread that looks at nothing, so that nothing can end its loop.
Wait blind(const std::string& thread, const std::vector<const DetailedStep*>& own) {
  auto sleeps = [](const DetailedStep* step) { return step->op == Op::sleep; };
  auto rests = [](const DetailedStep* step) { return wire::has(step->op, wire::kOnlyYields); };
  const DetailedStep& last = *own.back();
  std::string words = "repeats: " + operation_words(last.op, last.object);
  if (std::all_of(own.begin(), own.end(), rests)) words = "only yields";
  if (std::all_of(own.begin(), own.end(), sleeps)) words = "only sleeps";
  return {thread, words + ", and looks at nothing", last.stack};
}

}  // namespace

std::vector<Wait> waits_of(std::span<const DetailedStep> steps) {
  std::map<std::string, std::vector<const DetailedStep*>, decltype(&path_before)> by_thread(
      path_before);
  for (const DetailedStep& step : steps) by_thread[step.thread].push_back(&step);
  std::vector<Wait> waits;
  for (const auto& [thread, own] : by_thread) {
    // One round of the thread, from its end backwards; the steps before its beginning are those at
    // the end.
    auto last = std::find_if(own.rbegin(), own.rend(), [](auto* step) { return is_yield(*step); });
    size_t end = last == own.rend() ? own.size() : static_cast<size_t>(own.rend() - last);
    std::vector<Wait> looks;
    for (size_t i = 0; i < own.size() && looks.size() < kLooks; ++i) {
      const DetailedStep& step = *own[(end + own.size() - 1 - i) % own.size()];
      Wait look{thread, words_of_look(step), step.stack};
      auto same = [&](const Wait& other) { return other.words == look.words; };
      if (!look.words.empty() && std::none_of(looks.begin(), looks.end(), same)) {
        looks.push_back(std::move(look));
      }
    }
    if (looks.empty()) looks.push_back(blind(thread, own));
    waits.insert(waits.end(), looks.rbegin(), looks.rend());
  }
  return waits;
}

}  // namespace heddle::trace
