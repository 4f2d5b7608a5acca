// How what a search has found is saved, and told again when the search goes on.
#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "session/recorder.h"
#include "session/test_to_keep.h"

namespace heddle::session {

void Recorder::save(explore::ByteWriter& out) const {
  put_identity(out, modules_);
  First first = first_.value_or(First{});
  out.put<uint8_t>(first_ ? 1 : 0);
  put_rerun(out, first.rerun);
  out.put(first.result);
  out.put_all(racing_);
  out.put<uint64_t>(racing_places_.size());
  for (const std::string& place : racing_places_) out.put_text(place);
  out.put_all(racing_pairs_);
  out.put(state_.explaining_left);
  out.put<uint64_t>(state_.findings.size());
  for (const KeptFinding& kept : state_.findings) {
    out.put(kept.execution);
    out.put(kept.key);
    out.put(kept.racing);
    out.put_text(kept.schedule_file);
    out.put_text(kept.stage);
    out.put_text(kept.sampler);
    put_rerun(out, kept.rerun);
    put_explanation(out, kept.explanation);
  }
  put_rerun(out, best_.rerun);
  out.put(best_.execution);
  out.put(best_.transfers);
  out.put(best_.steps);
  out.put<uint8_t>(std_lock_retries_ ? 1 : 0);
  const std::vector<report::Suppressed>& suppressed = state_.summary.suppressed;
  out.put<uint64_t>(suppressed.size());
  for (const report::Suppressed& one : suppressed) {
    out.put(one.kind);
    out.put_text(one.location);
    out.put_text(one.by);
    out.put(one.key);
  }
}

bool Recorder::load(explore::ByteReader& in) {
  if (!load_first(in)) return false;
  in.get(&state_.explaining_left);
  auto count = in.get_count();
  for (uint64_t i = 0; i < count; ++i) {
    KeptFinding kept{in.get<uint64_t>(), in.get<uint64_t>(), in.get<uint64_t>(),
                     in.get_text(),      in.get_text(),      in.get_text(),
                     get_rerun(in),      get_explanation(in)};
    in.check(kept.rerun.schedule.size() <= options_.max_steps);
    if (!tell_again(std::move(kept))) return false;
  }
  best_.rerun = get_rerun(in);
  in.check(best_.rerun.schedule.size() <= options_.max_steps);
  in.get(&best_.execution);
  in.get(&best_.transfers);
  in.get(&best_.steps);
  std_lock_retries_ = in.get<uint8_t>() != 0;
  if (std_lock_retries_) note_once(kStdLockRetries);
  summary().suppressed.resize(in.get_count());
  for (report::Suppressed& one : summary().suppressed) {
    in.get(&one.kind);
    in.check(one.kind <= wire::Failure::unmet);
    one.location = in.get_text();
    one.by = in.get_text();
    in.get(&one.key);
  }
  return true;
}

// All up to the first execution, which is run again: whether it still goes the same way.
bool Recorder::load_first(explore::ByteReader& in) {
  modules_ = get_identity(in);
  bool has_first = in.get<uint8_t>() != 0;
  First first;
  first.rerun = get_rerun(in);
  in.check(first.rerun.schedule.size() <= options_.max_steps);
  in.get(&first.result);
  racing_ = in.get_all<uint64_t>();
  racing_places_.resize(in.get_count());
  for (std::string& place : racing_places_) place = in.get_text();
  racing_pairs_ = in.get_all<RacingPair>();
  if (!has_first) return true;
  std::optional<Examined> again = examiner_.run(first.rerun, false);
  if (!again.has_value()) return false;
  refuse_changed_program(modules_of(again->modules));
  if (!goes_the_same_way(again->result, first.result, first.rerun)) refuse_other_way(1);
  first.steps = again->steps;
  first.modules = again->modules;
  first_ = std::move(first);
  return true;
}

void Recorder::refuse_changed_program(const Identity& now) const {
  for (size_t i = 0; i < std::max(now.size(), modules_.size()); ++i) {
    if (i < now.size() && i < modules_.size() && now[i] == modules_[i]) continue;
    throw UserError(
        fmt::format("{} is not what it was when the search {} was saved; leave out --resume to "
                    "begin anew",
                    i < now.size() ? now[i].first : modules_[i].first, saver_.path()));
  }
}

void Recorder::refuse_other_way(uint64_t execution) const {
  throw UserError(
      fmt::format("the schedule of execution {} has diverged since the search {} was saved: "
                  "the test is not repeatable, or depends on something that has changed; "
                  "leave out --resume to begin anew",
                  execution, saver_.path()));
}

bool Recorder::tell_again(KeptFinding kept) {
  Options options = options_;
  options.racing.resize(std::min<size_t>(options.racing.size(), kept.racing));
  Examiner examiner(subject_.launch, settings_of(options));
  std::optional<Examined> again = examiner.run(kept.rerun, true);
  if (!again.has_value()) return false;
  if (again->result.failure_key != kept.key) refuse_other_way(kept.execution);
  // Its twins are in its trace file; the report needs words of them alone.
  trace::TraceFile told{std::move(*again->finding), {}, {}};
  Explainer(subject_, options, &examiner).tell(kept.explanation, *again, &told);
  trace::Finding& finding = told.finding;
  if (finding.steps == 0) finding.decisions = nameless(kept.rerun.schedule);
  finding.execution = kept.execution;
  finding.schedule_file = kept.schedule_file;
  finding.needs_trust = needs_trust(subject_);
  finding.stage = kept.stage;
  finding.sampler = kept.sampler;
  finding.test_to_keep = test_to_keep(subject_, options_, finding);
  summary().findings.push_back(std::move(finding));
  state_.findings.push_back(std::move(kept));
  return true;
}

}  // namespace heddle::session
