// What a search finds: each failure is run once more, looked at closely, put into the summary and
// into files of its own, its schedule and its trace; and all of it is kept with a search that is
// saved.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/hash.h"
#include "explore/search.h"
#include "session/campaign_state.h"
#include "session/examiner.h"
#include "session/execution_list.h"
#include "session/explainer.h"
#include "session/onlooker.h"
#include "session/saver.h"
#include "session/series.h"
#include "session/status_line.h"
#include "session/switches.h"
#include "trace/trace_file.h"

namespace heddle::session {

inline constexpr size_t kMaxFindings = 1000;  // different failures told in one run

class Recorder : public explore::SearchEvents {
 public:
  // All must outlive it; `list` and `onlooker` may be null.
  Recorder(const Subject& subject, const Options& options, const explore::Strategy& strategy,
           StatusLine* status, ExecutionList* list, Onlooker* onlooker, const Saver& saver,
           CampaignState* state);

  void first(const explore::Occurrence& what) override;
  explore::Suppression suppress(const explore::Occurrence& what) override;
  bool failure(const explore::Occurrence& what) override;
  void diverged(const explore::Occurrence& what) override;
  void unsupported(const explore::Occurrence& what) override;
  void racing(const explore::Occurrence& what) override;
  void infeasible(const explore::Occurrence& what) override;
  void realised(const explore::Occurrence& what) override;
  void each(const explore::Occurrence& what) override;
  bool wants_each() const override { return list_ != nullptr || onlooker_ != nullptr; }
  bool wants_steps() const override { return onlooker_ != nullptr; }
  void out_of_space(const std::string& why) override;
  void progress(const explore::Counts& counts) override;
  double seconds_to_conclude() override;

  std::function<void()> save_now;                         // saves the search as it is
  std::function<void()> sample_now;                       // notes how far it has come
  Series* series = nullptr;                               // null: it is the only search
  const std::vector<uint64_t>* told_by_others = nullptr;  // keys of failures; null: none

  // Each execution is compared with others as far as their schedules agree, and no further: what
  // differs after the last decision, or in the only execution, would go unnoticed. So the first
  // schedule is run once more when all is done.
  void look_again();

  // Nothing was tested if no execution has gone as the script says: that is a failure, which tells
  // of the one that came farthest. Where it is none, nothing happens.
  void tell_unmet(const explore::Counts& counts);

  // In the first execution; none: they are spread, or no execution has ended.
  std::optional<Switches> switches() const;

  // recorder_saved.cc
  void save(explore::ByteWriter& out) const;
  // Runs again what was found, to tell it in full. False: there was an interrupt. Throws UserError
  // if the program is not what it was.
  bool load(explore::ByteReader& in);

  const Identity& modules() const { return modules_; }  // empty: no execution has ended
  // Of the first execution: how it went; 0: there is none.
  uint64_t first_hash() const {
    return first_ ? mix(first_->result.sequence, first_->result.fingerprint) : 0;
  }
  // By this search, beside those that it began with.
  const std::vector<uint64_t>& racing_found() const { return racing_; }
  const std::vector<std::string>& racing_places() const { return racing_places_; }
  const std::vector<RacingPair>& racing_pairs() const { return racing_pairs_; }
  const std::vector<trace::ScriptPlace>& script_places() const { return script_places_; }
  double examining_seconds() const { return std::chrono::duration<double>(examining_).count(); }

 private:
  using Clock = std::chrono::steady_clock;

  struct First {
    Rerun rerun;
    wire::Result result{};
    std::vector<wire::Step> steps;
    trace::Modules modules;
  };

  report::Summary& summary() { return state_.summary; }
  void count_states(const explore::Occurrence& what);
  bool is_told(uint64_t key) const;
  void note_once(std::string note);
  bool examine(const explore::Occurrence& what);
  void explain(const explore::Occurrence& what, Rerun* rerun, wire::Result* result);
  bool comes_again(const Rerun& rerun, const wire::Result& result);
  void keep(trace::TraceFile found, uint64_t execution, uint64_t key, const Rerun& rerun);
  void write_schedule(trace::Finding* finding);
  void write_trace(const trace::TraceFile& found);

  // recorder_saved.cc
  bool load_first(explore::ByteReader& in);
  void refuse_changed_program(const Identity& now) const;
  [[noreturn]] void refuse_other_way(uint64_t execution) const;
  bool tell_again(KeptFinding kept);

  // An execution that could not go as its script says, and how far it came.
  struct Attempt {
    Rerun rerun;
    uint64_t execution = 0;  // 0: there is none
    uint32_t transfers = 0;
    uint32_t steps = 0;
  };

  const Subject& subject_;
  const Options& options_;
  const explore::Strategy& strategy_;
  Examiner examiner_;
  Explainer explainer_;
  StatusLine& status_;
  ExecutionList* list_;  // null: nobody asks for it
  Onlooker* onlooker_;   // null: nobody looks on
  const Saver& saver_;
  CampaignState& state_;
  std::vector<uint64_t> racing_;
  std::vector<std::string> racing_places_;
  std::vector<RacingPair> racing_pairs_;
  std::vector<trace::ScriptPlace> script_places_;
  std::optional<First> first_;  // none: no execution has ended
  Attempt best_;
  Identity modules_;
  // Of the execution that is looked at.
  std::string stage_;
  std::string sampler_;
  uint32_t depth_ = 0;
  Explanation explanation_;
  bool std_lock_retries_ = false;
  Clock::duration examining_{};
};

// A cycle may take a round more until it is shown.
inline bool goes_the_same_way(const wire::Result& a, const wire::Result& b, const Rerun& rerun) {
  return a.sequence == b.sequence || rerun.cycle != 0;
}

// Of an execution that took its steps with it: where it was sent is known nevertheless.
std::vector<trace::NamedDecision> nameless(const trace::Schedule& schedule);

// That std::lock retries for ever, at worst, is no livelock.
inline constexpr char kStdLockRetries[] =
    "std::lock, which std::scoped_lock uses, lets go and tries again for ever if its threads are "
    "preempted at the worst moment each time; that is not taken for a livelock";

}  // namespace heddle::session
