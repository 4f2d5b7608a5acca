#include "session/joined.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "session/conclude.h"

namespace heddle::session {

namespace {

using report::Summary;
using Common = explore::CommonCounts;

// The common executions are in the counts of every part.
constexpr std::pair<uint64_t Summary::*, uint64_t Common::*> kCounts[] = {
    {&Summary::executions, &Common::executions}, {&Summary::failing_executions, &Common::failing},
    {&Summary::steps, &Common::steps},           {&Summary::pruned, &Common::pruned},
    {&Summary::redundant, &Common::redundant},   {&Summary::cut, &Common::cut},
    {&Summary::set_back, &Common::set_back},
};
constexpr uint64_t Summary::*kPeaks[] = {&Summary::nodes_peak, &Summary::tree_bytes_peak,
                                         &Summary::spilled_bytes_peak};

template <typename T, typename Same>
void append_new(std::vector<T>* all, const std::vector<T>& more, Same same) {
  for (const T& one : more) {
    auto is_known = [&](const T& known) { return same(known, one); };
    if (std::ranges::none_of(*all, is_known)) all->push_back(one);
  }
}

void raise(auto* value, auto other) { *value = std::max(*value, other); }

}  // namespace

void Joined::begin(const Part& part) {
  is_empty_ = false;
  sum_.identity = part.identity;
  sum_.summary = part.summary;
  Summary& all = sum_.summary;
  for (const auto& [count, ignored] : kCounts) all.*count = 0;
  for (uint64_t Summary::*peak : kPeaks) all.*peak = 0;
  all.nodes_created = 0;
  all.learning = 0;
  all.seconds = 0;
  all.remaining.reset();
  all.unrepeatable.reset();
  all.broken.reset();
  all.stages.clear();
  all.sampled.clear();
  all.notes.clear();
  all.stopped_by.clear();
}

void Joined::add(const Part& part, const std::string& who) {
  if (is_empty_) begin(part);
  if (sum_.modules.empty()) sum_.modules = part.modules;
  add_counts(part);
  add_stages(part);
  add_words(part, who);
  sum_.held_back |= part.held_back;
  sum_.has_gap |= part.has_gap;
  sum_.distinct.add_all(part.distinct);
  sum_.states.add_all(part.states);
  append_new(&sum_.racing, part.racing, std::equal_to<>());
  append_new(&sum_.findings, part.findings,
             [](const auto& a, const auto& b) { return a.key == b.key; });
}

void Joined::add_counts(const Part& part) {
  const Summary& one = part.summary;
  Summary& all = sum_.summary;
  for (const auto& [count, common] : kCounts) {
    all.*count += one.*count - part.common.*common;
    raise(&(sum_.common.*common), part.common.*common);
  }
  for (uint64_t Summary::*peak : kPeaks) raise(&(all.*peak), one.*peak);
  all.nodes_created += one.nodes_created - std::min(part.common.executions, one.nodes_created);
  all.learning += one.learning;
  all.seconds += one.seconds;
  raise(&all.threads, one.threads);
  raise(&all.max_steps, one.max_steps);
  raise(&all.yield_after, one.yield_after);
  if (one.remaining) {
    uint64_t others = all.remaining ? all.remaining->waiting : 0;
    all.remaining = {one.remaining->waiting + others, std::nullopt};
  }
}

void Joined::add_stages(const Part& part) {
  std::vector<report::Stage>& stages = sum_.summary.stages;
  for (const report::Stage& one : part.summary.stages) {
    auto known = std::ranges::find(stages, one.name, &report::Stage::name);
    if (known == stages.end()) {
      stages.push_back(one);
      known = stages.end() - 1;
      known->executions = known->common = 0;
      known->seconds = 0;
    }
    known->executions += one.executions - one.common;
    raise(&known->common, one.common);
    known->seconds += one.seconds;
    known->complete = false;
  }
  for (const report::Sampled& one : part.summary.sampled) {
    std::vector<report::Sampled>& sampled = sum_.summary.sampled;
    auto known = std::ranges::find(sampled, one.name, &report::Sampled::name);
    if (known == sampled.end()) {
      sampled.push_back(one);
    } else {
      known->executions += one.executions;
      known->distinct += one.distinct;
    }
  }
}

// What is told beside the counts: each once.
void Joined::add_words(const Part& part, const std::string& who) {
  const Summary& one = part.summary;
  Summary& all = sum_.summary;
  append_new(&all.unvaried, one.unvaried, std::equal_to<>());
  append_new(&sum_.racing_places, part.racing_places, std::equal_to<>());
  append_new(&all.warnings, one.warnings, [](const auto& a, const auto& b) {
    return a.kind == b.kind && a.message == b.message && a.location == b.location;
  });
  append_new(&all.suppressed, one.suppressed,
             [](const auto& a, const auto& b) { return a.key == b.key; });
  std::vector<std::string> notes = one.notes;
  for (std::string& note : notes) note.insert(0, who);
  append_new(&all.notes, notes, std::equal_to<>());
  all.interrupted |= one.interrupted;
  if (one.broken) all.broken = one.broken;
  if (one.unrepeatable) all.unrepeatable = one.unrepeatable;
  if (!one.unsupported.empty()) {
    all.unsupported = one.unsupported;
    all.hint = one.hint;
  }
}

void Joined::begin_again() {
  Summary& all = sum_.summary;
  for (const auto& [count, common] : kCounts) all.*count += sum_.common.*common;
  sum_.common = {};
  all.cut = all.set_back = 0;
  all.stages.clear();
  sum_.distinct = {};
  sum_.states = {};
  sum_.held_back = sum_.has_gap = false;
}

report::Summary Joined::summary() const {
  Summary all = sum_.summary;
  for (const auto& [count, common] : kCounts) all.*count += sum_.common.*common;
  all.nodes_created += sum_.common.executions;
  for (report::Stage& stage : all.stages) stage.executions += stage.common;
  all.distinct = sum_.distinct.count();
  all.distinct_estimated = sum_.distinct.estimated();
  all.states.reset();
  if (sum_.states.size() != 0) all.states = sum_.states.size();
  tell_racing(sum_.racing_places, &all);
  return all;
}

void Joined::save(explore::ByteWriter& out) const {
  out.put<uint8_t>(is_empty_ ? 1 : 0);
  if (!is_empty_) put_part(out, sum_);
}

void Joined::load(explore::ByteReader& in) {
  in.get(&is_empty_);
  if (!is_empty_) sum_ = get_part(in);
}

}  // namespace heddle::session
