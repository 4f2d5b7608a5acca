// Runs single schedules, in a worker of its own, for a closer look: with stacks and values, or just
// to see where they lead; and many of them, of which only that is to be seen.
//
// Its runs are no part of the search and are not counted.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "explore/bytes.h"
#include "pool/pool.h"
#include "session/prober.h"
#include "trace/finding.h"
#include "trace/make_finding.h"

namespace heddle::session {

void put_rerun(explore::ByteWriter& out, const Rerun& rerun);
Rerun get_rerun(explore::ByteReader& in);

// What came of it. Its steps are complete.
struct Examined : trace::Evidence {
  // If it was run with details; of any execution, failed or not.
  std::optional<trace::Finding> finding;
};

class Examiner : public Prober, private pool::Planner {
 public:
  // Starts its worker with the first run. Needs the launch for as long as it lives.
  Examiner(const pool::Launch& launch, pool::Settings settings);

  // nullopt: there was an interrupt. Throws UserError.
  std::optional<Examined> run(const Rerun& rerun, bool details);
  bool run_all(const Next& next, const See& see) override;

  // What the last run was asked to do: it shows a cycle in another way than it was found.
  const Rerun& latest() const { return latest_; }

 private:
  const pool::Planner& planner() const { return *this; }
  std::optional<Examined> run_once(const Rerun& rerun, uint32_t flags);
  void submit(Rerun rerun, uint32_t flags);
  const pool::Outcome* next_outcome();
  void release();
  void write_decisions(const pool::Plan& plan, wire::Decision* out) const override;
  static trace::Finding make_finding(const trace::Evidence& evidence);

  const pool::Launch& launch_;
  pool::Settings settings_;
  std::unique_ptr<pool::Pool> pool_;
  Rerun latest_;
  std::deque<Rerun> under_way_;  // by age
  uint64_t oldest_ = 0;          // number of the oldest one, which is its token
};

// How to run an execution of the search again.
Rerun rerun_of(const pool::Planner& planner, const pool::Plan& plan, const pool::Outcome& outcome);

}  // namespace heddle::session
