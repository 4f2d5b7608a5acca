// A campaign: all of one search, as the user sees it, and the state that it is in.
//
// It is made of searches. Where one learns that places race which are no operations yet, it ends
// and the next begins anew with them; what was found, and what it took, stays with the campaign. It
// owns the strategy, the plans under way and the counts (explore::Search has them), the findings
// (Recorder), the racing places and the time of the searches before; and it alone knows in which
// order all of that is saved and loaded.
//
// One rule for feedback: what a strategy knows when it makes its n-th plan is a function of n. It
// has learnt from the first n - lag executions at least, where lag is the strategy's own
// (Strategy::lag), and from a later one only if it had no plan to make before it. Neither the
// number of jobs nor a clock comes into it. explore::Search keeps that.
#pragma once

#include <memory>

#include "explore/search.h"
#include "pool/pool.h"
#include "session/campaign_state.h"
#include "session/execution_list.h"
#include "session/recorder.h"
#include "session/saver.h"
#include "session/search_setup.h"
#include "session/series.h"
#include "session/status_line.h"
#include "session/task.h"

namespace heddle::session {

class Campaign {
 public:
  // Throws UserError. All must outlive it; `onlooker` may be null, and so may `series` and `task`.
  Campaign(const Subject& subject, const Options& options, Onlooker* onlooker, Series* series,
           const Task* task = nullptr);

  // Where a saved one ended; at most once, before run().
  void resume();
  // To the end: complete, found, interrupted, or out of budget.
  report::Summary run();
  // What its task has come to, when it has been run.
  TaskDone take_done() { return std::move(done_); }

 private:
  // One search from its beginning, with the racing places that are known so far.
  class Round;

  explore::SearchEnd run(Round* round);
  bool run_first();
  void add_first(const report::Summary& before);
  void save(const Round& round);
  void go_along_races();
  void load(Round* round);
  bool is_too_late(const Round& round);
  void sample(Round* round);
  bool learn(const Round& round, explore::SearchEnd end);
  void keep_or_remove(const Round& round, explore::SearchEnd end);
  void report(Round* round, explore::SearchEnd end);

  const Subject& subject_;
  const Options& given_;
  Onlooker* const onlooker_;
  Series* const series_;
  const Task* const task_;
  SearchSetup setup_;
  Options options_;  // those given, with what was found to race and to be in focus
  CampaignState state_;
  Saver saver_;
  std::unique_ptr<explore::ByteReader> saved_;  // what is yet to be loaded
  bool loaded_ = true;                          // false: an interrupt came before all was
  std::unique_ptr<ExecutionList> list_;         // null: nobody asks for it
  StatusLine status_;
  explore::Limits left_;     // of the budget
  explore::Counts before_;   // of the searches before
  uint64_t begun_at_ = 0;    // executions before the search under way
  uint64_t resumed_at_ = 0;  // executions before this run
  double opening_ = 0;       // seconds that it took to open what was saved
  bool is_resumed_ = false;  // what was saved is the search that is under way
  TaskDone done_;
};

}  // namespace heddle::session
