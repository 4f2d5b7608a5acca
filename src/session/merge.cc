#include "session/merge.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/error.h"
#include "session/joined.h"

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

void tell_incomplete(const std::vector<Part>& parts, report::Summary* all) {
  for (report::Stage& stage : all->stages) {
    stage.complete = std::ranges::all_of(parts, [&](const Part& part) {
      auto one = std::ranges::find(part.summary.stages, stage.name, &report::Stage::name);
      return one != part.summary.stages.end() && one->complete;
    });
    stage.complete &= parts.size() == parts.front().summary.shard->count;
  }
  for (const Part& part : parts) {
    if (is_complete(part)) continue;
    if (all->stopped_by.empty()) all->stopped_by = part.summary.stopped_by;
    if (!part.findings.empty()) continue;
    all->notes.push_back(fmt::format(
        "part {} is not complete; to go on with it, run it again with --resume", index_of(part)));
  }
}

bool reduces(const report::Summary& summary) {
  return summary.reduce == "dpor" || std::ranges::any_of(summary.stages, [](const auto& stage) {
           return stage.reduce == "dpor" && stage.executions != 0;
         });
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
  Joined joined;
  for (const Part& part : parts) joined.add(part, fmt::format("part {}: ", index_of(part)));
  report::Summary all = joined.summary();
  all.shard.reset();
  all.parts = static_cast<uint32_t>(parts.size());
  tell_incomplete(parts, &all);
  all.findings = write_findings(joined.part().findings, options.out);
  if (!gap.empty()) all.notes.push_back(gap);
  if (parts.size() > 1 && reduces(all)) {
    all.notes.push_back(
        "each part was reduced by itself: together they have made more executions than one machine "
        "would; verdict, failures and the number of different executions are the same");
  }
  all.complete = gap.empty() && std::ranges::all_of(parts, is_complete);
  all.verdict = all.complete ? report::Verdict::passed : report::Verdict::incomplete;
  if (has_failed) all.verdict = report::Verdict::failed;
  return all;
}

}  // namespace heddle::session
