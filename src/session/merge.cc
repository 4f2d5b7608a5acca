#include "session/merge.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/error.h"
#include "report/style.h"
#include "session/conclude.h"
#include "session/part.h"
#include "trace/new_file.h"
#include "trace/trace_file.h"

namespace heddle::session {

namespace {

uint32_t index_of(const Part& part) { return part.summary.shard->index; }
bool is_complete(const Part& part) { return part.summary.shard->complete; }

void refuse_other(const Identity& one, const Identity& other, const Part& first, const Part& part) {
  for (size_t i = 0; i < std::max(one.size(), other.size()); ++i) {
    if (i < one.size() && i < other.size() && one[i] == other[i]) continue;
    auto told = [&](const Identity& which) {
      return i < which.size() ? fmt::format("{} {}", which[i].first, which[i].second)
                              : std::string("something else");
    };
    throw UserError(
        fmt::format("{} has {}, {} has {}: they are not parts of one search; run one of them again "
                    "as the other was",
                    first.path, told(one), part.path, told(other)));
  }
}

// Throws UserError unless all are parts of one search.
void refuse_foreign(const std::vector<Part>& parts) {
  const Part& first = parts.front();
  const Part* known = nullptr;   // its modules are
  const Part* common = nullptr;  // … its common executions
  for (const Part& part : parts) {
    if (part.summary.shard->count != first.summary.shard->count) {
      throw UserError(fmt::format(
          "{} is one of {} parts, {} one of {}: they are not parts of one search", first.path,
          first.summary.shard->count, part.path, part.summary.shard->count));
    }
    if (&part != &first && index_of(part) == index_of(*(&part - 1))) {
      throw UserError(fmt::format("{} and {} are both part {} of {}; leave one of them out",
                                  (&part - 1)->path, part.path, index_of(part),
                                  part.summary.shard->count));
    }
    refuse_other(first.identity, part.identity, first, part);
    if (known != nullptr && !part.modules.empty()) {
      refuse_other(known->modules, part.modules, *known, part);
    }
    if (known == nullptr && !part.modules.empty()) known = &part;
    if (!is_complete(part)) continue;
    bool same_places =
        common != nullptr && std::set(common->racing.begin(), common->racing.end()) ==
                                 std::set(part.racing.begin(), part.racing.end());
    if (same_places && std::pair(common->common.executions, common->common.hash) !=
                           std::pair(part.common.executions, part.common.hash)) {
      throw UserError(fmt::format(
          "{} and {} do not begin with the same executions: the test is not repeatable from one "
          "machine, or run, to another; see heddle help run, --isolation",
          common->path, part.path));
    }
    if (common == nullptr) common = &part;
  }
}

std::vector<uint32_t> missing(const std::vector<Part>& parts) {
  std::vector<uint32_t> all;
  for (uint32_t i = 1; i <= parts.front().summary.shard->count; ++i) {
    if (std::ranges::none_of(parts, [&](const Part& part) { return index_of(part) == i; })) {
      all.push_back(i);
    }
  }
  return all;
}

// What keeps the parts from covering all together; empty: nothing.
std::string gap_between(const std::vector<Part>& parts) {
  std::vector<uint32_t> absent = missing(parts);
  if (!absent.empty()) {
    return fmt::format(
        "of {} parts {} {}: run {} with --shard {}/{}, and give {} to heddle merge too",
        parts.front().summary.shard->count,
        absent.size() == 1 ? "this one is missing:" : "these are missing:", fmt::join(absent, ", "),
        absent.size() == 1 ? "it" : "them", absent.front(), parts.front().summary.shard->count,
        absent.size() == 1 ? "it" : "them");
  }
  std::set<uint64_t> all;
  for (const Part& part : parts) all.insert(part.racing.begin(), part.racing.end());
  bool is_same = std::ranges::all_of(parts, [&](const Part& part) {
    return std::set(part.racing.begin(), part.racing.end()) == all;
  });
  if (is_same) return "";
  return fmt::format(
      "the parts have learnt of different places that race, so that together they do not cover all "
      "schedules: run each of them again, with --racing {:x}",
      fmt::join(all, ","));
}

// The sum over all parts, the common executions once.
template <typename Count, typename Common>
uint64_t sum(const std::vector<Part>& parts, Count count, Common common) {
  uint64_t own = 0, most = 0;
  for (const Part& part : parts) {
    own += count(part.summary) - common(part);
    most = std::max(most, common(part));
  }
  return own + most;
}

void add_counts(const std::vector<Part>& parts, report::Summary* all) {
  using Summary = report::Summary;
  using Common = explore::CommonCounts;
  auto add = [&](uint64_t Summary::*count, uint64_t Common::*common) {
    all->*count = sum(
        parts, [&](const Summary& one) { return one.*count; },
        [&](const Part& part) { return part.common.*common; });
  };
  add(&Summary::executions, &Common::executions);
  add(&Summary::failing_executions, &Common::failing);
  add(&Summary::steps, &Common::steps);
  add(&Summary::pruned, &Common::pruned);
  add(&Summary::redundant, &Common::redundant);
  add(&Summary::cut, &Common::cut);
  add(&Summary::set_back, &Common::set_back);
  all->learning = 0;
  all->seconds = 0;
  all->remaining.reset();
  for (const Part& part : parts) {
    const Summary& one = part.summary;
    all->learning += one.learning;
    all->seconds += one.seconds;
    all->threads = std::max(all->threads, one.threads);
    all->max_steps = std::max(all->max_steps, one.max_steps);
    all->yield_after = std::max(all->yield_after, one.yield_after);
    all->nodes_peak = std::max(all->nodes_peak, one.nodes_peak);
    all->tree_bytes_peak = std::max(all->tree_bytes_peak, one.tree_bytes_peak);
    all->spilled_bytes_peak = std::max(all->spilled_bytes_peak, one.spilled_bytes_peak);
    if (one.remaining) {
      all->remaining = {one.remaining->waiting + (all->remaining ? all->remaining->waiting : 0),
                        std::nullopt};
    }
  }
  all->nodes_created = sum(
      parts, [](const Summary& one) { return one.nodes_created; },
      [](const Part& part) {
        return std::min(part.common.executions, part.summary.nodes_created);
      });
}

void add_seen(const std::vector<Part>& parts, report::Summary* all) {
  explore::DistinctCounter distinct;
  std::set<std::string_view> states;
  for (const Part& part : parts) {
    distinct.add_all(part.distinct);
    for (uint64_t i = 0; i < part.states.size(); ++i) states.insert(part.states.state(i).bytes);
  }
  all->distinct = distinct.count();
  all->distinct_estimated = distinct.estimated();
  all->states.reset();
  if (!states.empty()) all->states = states.size();
}

// By name: a stage is complete if it is so in all parts.
void add_stages(const std::vector<Part>& parts, report::Summary* all) {
  std::vector<report::Stage> stages;
  for (const Part& part : parts) {
    for (const report::Stage& stage : part.summary.stages) {
      auto known = std::ranges::find(stages, stage.name, &report::Stage::name);
      if (known == stages.end()) stages.push_back(stage);
    }
  }
  for (report::Stage& stage : stages) {
    stage.executions = 0;
    stage.seconds = 0;
    uint64_t in_parts = 0;
    uint64_t common = 0;
    for (const Part& part : parts) {
      auto one = std::ranges::find(part.summary.stages, stage.name, &report::Stage::name);
      if (one == part.summary.stages.end()) continue;
      stage.executions += one->executions - one->common;
      common = std::max(common, one->common);
      stage.seconds += one->seconds;
      in_parts += one->complete ? 1 : 0;
    }
    stage.executions += common;
    stage.complete = in_parts == parts.front().summary.shard->count;
  }
  all->stages = std::move(stages);
  std::vector<report::Sampled> sampled;
  for (const Part& part : parts) {
    for (const report::Sampled& one : part.summary.sampled) {
      auto known = std::ranges::find(sampled, one.name, &report::Sampled::name);
      if (known == sampled.end()) {
        sampled.push_back(one);
      } else {
        known->executions += one.executions;
        known->distinct += one.distinct;
      }
    }
  }
  all->sampled = std::move(sampled);
}

template <typename T, typename Same>
void append_new(std::vector<T>* all, const std::vector<T>& more, Same same) {
  for (const T& one : more) {
    auto is_known = [&](const T& known) { return same(known, one); };
    if (std::ranges::none_of(*all, is_known)) all->push_back(one);
  }
}

// What is told beside the counts: each once.
void add_words(const std::vector<Part>& parts, report::Summary* all) {
  std::vector<std::string> places;
  all->notes.clear();
  for (const Part& part : parts) {
    const report::Summary& one = part.summary;
    append_new(&all->unvaried, one.unvaried, std::equal_to<>());
    append_new(&places, part.racing_places, std::equal_to<>());
    append_new(&all->warnings, one.warnings, [](const auto& a, const auto& b) {
      return a.kind == b.kind && a.message == b.message && a.location == b.location;
    });
    append_new(&all->suppressed, one.suppressed,
               [](const auto& a, const auto& b) { return a.key == b.key; });
    for (const std::string& note : one.notes) {
      all->notes.push_back(fmt::format("part {}: {}", index_of(part), note));
    }
    all->interrupted |= one.interrupted;
    if (one.broken) all->broken = one.broken;
    if (one.unrepeatable) all->unrepeatable = one.unrepeatable;
    if (!one.unsupported.empty()) {
      all->unsupported = one.unsupported;
      all->hint = one.hint;
    }
    if (!is_complete(part) && all->stopped_by.empty()) all->stopped_by = one.stopped_by;
    if (!is_complete(part) && part.findings.empty()) {
      all->notes.push_back(fmt::format(
          "part {} is not complete; to go on with it, run it again with --resume", index_of(part)));
    }
  }
  tell_racing(std::move(places), all);
}

std::string write_beside(const std::string& path, const std::string& bytes) {
  trace::NewFile file(path);
  file.write(bytes.data(), bytes.size());
  file.finish(false);
  return path;
}

// Each failure once, with the files of the first part that has it.
void add_findings(const std::vector<Part>& parts, const Options& options, report::Summary* all) {
  std::set<uint64_t> keys;
  for (const Part& part : parts) {
    for (const PartFinding& one : part.findings) {
      if (!keys.insert(one.key).second) continue;
      trace::Finding finding;
      finding.kind = one.kind;
      finding.message = one.message;
      std::string name = std::filesystem::path(one.name).filename().string();
      if (!name.empty()) {
        std::string path = write_beside(options.out + "/" + name, one.schedule);
        std::string trace = write_beside(trace::trace_beside(path), one.trace);
        finding = trace::read_trace_file(trace, path).finding;
        finding.schedule_file = path;
      }
      finding.key = one.key;
      finding.execution = one.execution;
      all->findings.push_back(std::move(finding));
    }
  }
}

}  // namespace

report::Summary merge(const std::vector<std::string>& files, const Options& options) {
  std::vector<Part> parts;
  for (const std::string& file : files) parts.push_back(read_part(file));
  std::ranges::stable_sort(parts, {}, index_of);
  refuse_foreign(parts);
  std::string gap = gap_between(parts);
  bool has_failed = std::ranges::any_of(parts, [](const Part& part) {
    return !part.findings.empty() || part.summary.failing_executions != 0;
  });
  if (!gap.empty() && !has_failed) throw UserError(gap);
  report::Summary all = parts.front().summary;
  all.shard.reset();
  all.parts = static_cast<uint32_t>(parts.size());
  all.unrepeatable.reset();
  add_counts(parts, &all);
  add_seen(parts, &all);
  add_stages(parts, &all);
  add_words(parts, &all);
  add_findings(parts, options, &all);
  if (!gap.empty()) all.notes.push_back(gap);
  all.complete = gap.empty() && std::ranges::all_of(parts, is_complete);
  all.verdict = all.complete ? report::Verdict::passed : report::Verdict::incomplete;
  if (has_failed) all.verdict = report::Verdict::failed;
  return all;
}

}  // namespace heddle::session
