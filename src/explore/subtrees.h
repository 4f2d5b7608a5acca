// The subtrees of a search that workers enumerate by themselves (wire/subtree.h): those that wait
// for more, those under way, and when which is handed out.
//
// The search begins execution by execution, so that bugs are found as early as ever; then the
// fringe is handed out. What a worker has not got to comes back as one subtree, and goes out again;
// where there are too few, one is divided. An execution that is not an ordinary one ends its
// subtree: what is left of that goes back to the fringe, and that execution is run like any other.
// Where much is not ordinary, the search goes on execution by execution for a while, each time
// twice as long.
//
// All of it goes by counts: a function of what was learnt, whatever the number of jobs.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "causality/subtree.h"
#include "explore/bytes.h"
#include "explore/strategies.h"
#include "pool/plan.h"

namespace heddle::explore {

class Subtrees {
 public:
  static constexpr uint64_t kAlone = 2048;  // executions before the first subtree

  // Schedules that wait, on one way down the tree.
  struct Unit {
    std::vector<wire::Decision> decisions;
    std::vector<wire::SubtreeEntry> entries;

    uint64_t schedules() const;
  };

  explicit Subtrees(const StrategyOptions& options);

  // The next plan is to be one of a subtree; else of an execution.
  bool is_due() const { return is_on_ && alone_ == 0; }
  bool empty() const { return units_.size() == free_.size(); }
  bool begun() const { return begun_; }
  // Those that wait for a worker.
  bool none_waits() const { return ready_.empty(); }
  // One more may be under way.
  bool has_room() const { return under_way_ < most_under_way(); }
  // Whether a schedule with so many decisions can be handed out.
  static bool fits(uint64_t decisions) { return decisions < wire::kMostSubtreeWords / 2; }

  void add(Unit unit);
  // The plan of the next one, which is then under way. Not where none waits.
  pool::Plan take();

  // A plan of an execution is made; it has been executed. Of a failure: its key.
  void gave_one() { alone_ -= alone_ > 0 ? 1 : 0; }
  void executed() { ++executions_; }
  void failed(uint64_t key);

  // What has come of a subtree. `waiting`: schedules that wait elsewhere. A unit: it is to go back
  // to the fringe, and its last schedule is the next to be run.
  std::optional<Unit> learn(const pool::Plan& plan, const causality::Subtree& subtree,
                            uint64_t waiting);

  uint64_t executions() const { return in_subtrees_; }  // in all subtrees so far
  uint64_t schedules() const;                           // that wait, at least

  static bool is_subtree(const pool::Plan& plan) { return plan.executions != 0; }
  void write_decisions(const pool::Plan& plan, wire::Decision* out) const;
  bool knows(const pool::Plan& plan) const;
  void save(ByteWriter& out) const;
  void load(ByteReader& in);

 private:
  static constexpr uint64_t kFewest = 16;  // units under way
  static constexpr uint64_t kMost = 128;
  static constexpr uint32_t kSmallest = 16;  // executions of a unit, at a time
  static constexpr uint32_t kShort = 16;     // a unit that is stopped sooner was not worth it
  static constexpr uint32_t kLongestAlone = 1 << 16;
  static constexpr uint32_t kSteps = 1 << 14;  // of a unit, at a time: a millisecond
  // All that is under way is no more than this fraction of what has been executed: if the search
  // is stopped, it is lost.
  static constexpr uint64_t kShare = 8;

  uint64_t most_under_way() const;
  uint32_t budget() const;
  uint32_t words_of(const Unit& unit) const;
  Unit give_back(uint32_t number);
  void stopped_early(uint64_t executions);
  void put_back(uint32_t number, uint64_t waiting);

  bool is_on_;
  uint32_t delays_;
  uint32_t preemptions_;
  uint32_t depth_;
  bool begun_ = false;
  uint64_t alone_ = kAlone;  // executions until subtrees are handed out
  uint64_t patience_ = 1;    // … after the next that is not ordinary
  uint64_t executions_ = 0;
  uint64_t in_subtrees_ = 0;
  uint64_t under_way_ = 0;
  std::vector<Unit> units_;  // those without entries are free
  std::vector<uint32_t> free_;
  std::deque<uint32_t> ready_;
  std::vector<uint64_t> keys_;  // of failures
};

}  // namespace heddle::explore
