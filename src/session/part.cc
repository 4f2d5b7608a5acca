#include "session/part.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/error.h"
#include "base/exit_code.h"
#include "report/style.h"
#include "trace/compressed_file.h"
#include "trace/new_file.h"
#include "trace/trace_file.h"

namespace heddle::session {

namespace {

// Raised with every change to what is written, or to its order.
constexpr int kFormat = 2;

trace::FileKind part_kind() {
  return {
      fmt::format("heddle part {}, of heddle {} ({})\n", kFormat, HEDDLE_VERSION, wire::kVersion),
      "heddle part ", "part of a search", "run that part again, with heddle run --shard"};
}

std::string without_folders(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream content;
  content << file.rdbuf();
  return file ? content.str() : "";
}

// Where the program lies may differ from machine to machine; what it is, its modules say.
Identity identity_of_all_parts(const PartSource& source) {
  Identity all;
  const std::vector<std::string>& command = source.subject.command;
  all.emplace_back("program", without_folders(source.subject.path));
  all.emplace_back("arguments",
                   fmt::format("{}", fmt::join(command.begin() + 1, command.end(), " ")));
  all.emplace_back("test", source.subject.test);
  all.emplace_back("check", std::to_string(source.subject.check.value_or(0)));
  for (const auto& [name, value] : source.identity) {
    bool is_own =
        name == "program" || name == "directory" || name == "arguments" || name == "--shard";
    if (!is_own) all.emplace_back(name, value);
  }
  return all;
}

// Each field is named once, for writing and for reading.
struct Put {
  explore::ByteWriter& out;

  template <explore::Plain T>
  void operator()(T& value) {
    out.put(value);
  }
  void operator()(std::string& text) { out.put_text(text); }
  template <typename T>
  void each(std::vector<T>& values, auto visit) {
    out.put<uint64_t>(values.size());
    for (T& value : values) visit(value);
  }
};

struct Get {
  explore::ByteReader& in;

  template <explore::Plain T>
  void operator()(T& value) {
    in.get(&value);
  }
  void operator()(std::string& text) { text = in.get_text(); }
  template <typename T>
  void each(std::vector<T>& values, auto visit) {
    values.resize(in.get_count());
    for (T& value : values) visit(value);
  }
};

void texts(auto& io, std::vector<std::string>& all) {
  io.each(all, [&](std::string& text) { io(text); });
}

void identity(auto& io, Identity& all) {
  io.each(all, [&](std::pair<std::string, std::string>& one) {
    io(one.first);
    io(one.second);
  });
}

template <typename T>
void maybe(auto& io, std::optional<T>& value, auto visit) {
  bool is_there = value.has_value();
  io(is_there);
  if (is_there && !value) value.emplace();
  if (is_there) visit(*value);
}

// What the search was to cover, and what has kept it from that.
void extent(auto& io, report::Summary& s) {
  texts(io, s.program);
  io(s.preemptions);
  io(s.delays);
  io(s.depth);
  io(s.reduce);
  io(s.fair);
  io(s.yield_after);
  io(s.accesses);
  io(s.spurious);
  texts(io, s.unvaried);
  io(s.strategy);
  io(s.order);
  io(s.seed);
  io(s.unsupported);
  io(s.hint);
  io(s.interrupted);
  io(s.stopped_by);
  texts(io, s.notes);
  maybe(io, s.unrepeatable, [&](report::Unrepeatable& what) {
    io(what.execution);
    io(what.step);
    io(what.step_known);
    io(what.expected);
    io(what.found);
  });
  maybe(io, s.broken, [&](report::Summary::Broken& what) {
    io(what.what);
    io(what.exit_code);
  });
}

void counts(auto& io, report::Summary& s) {
  for (uint64_t* count : {&s.executions, &s.failing_executions, &s.steps, &s.pruned, &s.redundant,
                          &s.learning, &s.cut, &s.set_back}) {
    io(*count);
  }
  io(s.threads);
  io(s.max_steps);
  io(s.seconds);
  io(s.nodes_created);
  io(s.nodes_peak);
  io(s.tree_bytes_peak);
  io(s.spilled_bytes_peak);
  uint64_t waiting = s.remaining ? s.remaining->waiting : 0;
  io(waiting);
  if (waiting != 0) s.remaining = {waiting, std::nullopt};
}

void summary_fields(auto& io, report::Summary& s) {
  extent(io, s);
  counts(io, s);
  io.each(s.stages, [&](report::Stage& stage) {
    io(stage.name);
    io(stage.order);
    io(stage.preemptions);
    io(stage.reduce);
    io(stage.executions);
    io(stage.common);
    io(stage.complete);
    io(stage.seconds);
  });
  io.each(s.sampled, [&](report::Sampled& one) {
    io(one.name);
    io(one.executions);
    io(one.distinct);
  });
  io.each(s.warnings, [&](report::Warning& one) {
    io(one.kind);
    io(one.message);
    io(one.location);
  });
  io.each(s.suppressed, [&](report::Suppressed& one) {
    io(one.kind);
    io(one.location);
    io(one.by);
    io(one.key);
  });
  maybe(io, s.shard, [&](report::Summary::Shard& shard) {
    io(shard.index);
    io(shard.count);
    io(shard.complete);
  });
}

void part_fields(auto& io, Part& part) {
  identity(io, part.identity);
  identity(io, part.modules);
  io.each(part.racing, [&](uint64_t& name) { io(name); });
  texts(io, part.racing_places);
  io(part.held_back);
  io(part.has_gap);
  io(part.common);
  io.each(part.findings, [&](PartFinding& finding) {
    io(finding.key);
    io(finding.execution);
    io(finding.name);
    io(finding.schedule);
    io(finding.trace);
    io(finding.kind);
    io(finding.message);
  });
  summary_fields(io, part.summary);
}

std::vector<PartFinding> findings_of(const CampaignState& state) {
  std::vector<PartFinding> findings;
  for (size_t i = 0; i < state.summary.findings.size(); ++i) {
    const trace::Finding& finding = state.summary.findings[i];
    PartFinding one{i < state.findings.size() ? state.findings[i].key : finding.key,
                    finding.execution,
                    "",
                    "",
                    "",
                    finding.kind,
                    finding.message};
    if (!finding.schedule_file.empty()) {
      one.schedule = content_of(finding.schedule_file);
      one.trace = content_of(trace::trace_beside(finding.schedule_file));
    }
    if (!one.schedule.empty() && !one.trace.empty())
      one.name = without_folders(finding.schedule_file);
    findings.push_back(std::move(one));
  }
  return findings;
}

// Without what a report of a part does not tell.
report::Summary kept(const report::Summary& given) {
  report::Summary summary = given;
  summary.findings.clear();
  summary.tree_samples.clear();
  return summary;
}

std::string write_beside(const std::string& path, const std::string& bytes) {
  trace::NewFile file(path);
  file.write(bytes.data(), bytes.size());
  file.finish(false);
  return path;
}

void check(explore::ByteReader& in, const Part& part) {
  const report::Summary& summary = part.summary;
  const explore::CommonCounts& common = part.common;
  in.check(common.executions <= summary.executions &&
           common.failing <= summary.failing_executions && common.steps <= summary.steps &&
           common.pruned <= summary.pruned && common.redundant <= summary.redundant &&
           common.cut <= summary.cut && common.set_back <= summary.set_back);
  in.check(!summary.broken || summary.broken->exit_code == exit_code::refused ||
           summary.broken->exit_code == exit_code::internal);
  for (const report::Stage& stage : summary.stages) in.check(stage.common <= stage.executions);
  for (const report::Warning& one : summary.warnings) in.check(one.kind <= wire::Failure::unmet);
  for (const report::Suppressed& one : summary.suppressed) {
    in.check(one.kind <= wire::Failure::unmet);
  }
  for (const PartFinding& one : part.findings) in.check(one.kind <= wire::Failure::unmet);
}

}  // namespace

Part part_of(const PartSource& source, explore::Search& search, const report::Summary& summary) {
  Part part;
  part.identity = identity_of_all_parts(source);
  for (const auto& [module, id] : source.modules)
    part.modules.emplace_back(without_folders(module), id);
  part.racing = source.state.racing;
  part.racing_places = source.state.racing_places;
  part.held_back = source.strategy.held_back();
  part.has_gap = search.counts().lost != 0 || search.counts().cut != 0;
  part.common = search.common();
  part.distinct = search.distinct();
  part.states = search.states();
  part.findings = findings_of(source.state);
  part.summary = kept(summary);
  return part;
}

void put_part(explore::ByteWriter& out, Part& part) {
  Put put{out};
  part_fields(put, part);
  part.distinct.save(out);
  part.states.save(out);
}

Part get_part(explore::ByteReader& in) {
  Part part;
  Get get{in};
  part_fields(get, part);
  part.distinct.load(in);
  part.states.load(in);
  check(in, part);
  return part;
}

std::vector<trace::Finding> write_findings(const std::vector<PartFinding>& findings,
                                           const std::string& directory) {
  std::vector<trace::Finding> all;
  for (const PartFinding& one : findings) {
    trace::Finding finding;
    finding.kind = one.kind;
    finding.message = one.message;
    std::string name = without_folders(one.name);
    if (!name.empty()) {
      std::string path = write_beside(directory + "/" + name, one.schedule);
      std::string trace = write_beside(trace::trace_beside(path), one.trace);
      finding = trace::read_trace_file(trace, path).finding;
      finding.schedule_file = path;
    }
    finding.key = one.key;
    finding.execution = one.execution;
    all.push_back(std::move(finding));
  }
  return all;
}

void remove_part(const Subject& subject, const Options& options) {
  unlink(part_path(subject, options).c_str());
}

void leave_part(const PartSource& source, explore::Search& search, report::Summary* summary) {
  const explore::Shard& shard = source.options.shard;
  bool is_complete = report::is_complete(*summary) && summary->findings.empty();
  // With --keep-going a part may be complete, and have failures.
  is_complete |= summary->complete && !summary->interrupted && !summary->broken &&
                 !summary->unrepeatable && summary->unsupported.empty();
  summary->shard = {shard.index, shard.count, is_complete, ""};
  summary->complete = false;
  if (summary->verdict == report::Verdict::passed) summary->verdict = report::Verdict::incomplete;
  std::string path = part_path(source.subject, source.options);
  Part part = part_of(source, search, *summary);
  try {
    trace::CompressedWriter file(path, part_kind());
    put_part(file, part);
    file.finish();
    summary->shard->file = path;
    summary->notes.push_back(fmt::format(
        "this is part {} of {}; when all of them are there, type: heddle merge {}", shard.index,
        shard.count, report::shell_word(source.options.out) + "/*" + kPartSuffix));
  } catch (const std::runtime_error& error) {
    summary->notes.push_back(
        fmt::format("what heddle merge needs was not written: {}", error.what()));
  }
}

Part read_part(const std::string& path) {
  trace::CompressedReader in(path, part_kind());
  Part part = get_part(in);
  part.path = path;
  const std::optional<report::Summary::Shard>& shard = part.summary.shard;
  in.check(shard && shard->count != 0 && shard->index != 0 && shard->index <= shard->count);
  in.check(in.left() == 0);
  return part;
}

}  // namespace heddle::session
