// The strategies by name.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/ratio.h"
#include "explore/priority/user.h"
#include "explore/shard.h"
#include "explore/strategy.h"
#include "wire/places.h"

namespace heddle::explore {

// Of pct: the depth of the bugs that it looks for. Most have no more (SCTBench).
inline constexpr uint32_t kUsualPctDepth = 3;

// Of randomized backtracking: how far it goes back at once.
enum class Jump : uint8_t { fixed, random, luby };

struct DescentOptions {
  std::vector<uint32_t> thresholds;
  Jump jump = Jump::random;
  Ratio ratio;
  wire::DescentOrder order = wire::DescentOrder::by_thread;
  bool repeats = false;  // when it has come to its end, it begins again
};

// Of a guided search.
struct GuideOptions {
  wire::Toward toward = wire::Toward::distance;
  uint64_t threads = 0;                        // that are preferred: bit i is thread i
  std::vector<wire::RouteSequence> sequences;  // that it goes along in turn; may be none
  uint32_t places = 0;                         // of each
  uint32_t backtracks = 100'000;               // points to come back to that are kept
};

struct StrategyOptions {
  std::optional<uint32_t> preemptions;  // bound; none: unbounded
  std::optional<uint32_t> delays;       // bound, at most kMaxDelays; none: unbounded
  std::optional<uint32_t> depth;        // steps from this one on are not varied
  bool bound_by_bound = false;        // all schedules with fewer preemptions before those with more
  bool reduce = false;                // by partial order; then there are no bounds
  bool sleep_sets = true;             // with it
  bool scripted = false;              // there is a test script
  bool lineage = false;               // with it, where it can be told
  std::vector<std::string> samplers;  // that run beside it (portfolio.h)
  bool match = false;                 // stop where it has been before
  bool subtrees = false;              // workers may search some by themselves (subtrees.h)
  DescentOptions descent;             // of randomized backtracking
  GuideOptions guide;
  Shard shard;  // which part of the search
  uint64_t seed = 1;
  uint32_t pct_depth = kUsualPctDepth;
  std::vector<std::string> order;  // of best-first; none: depth first
  UserFunction user;               // of the order user
  uint64_t memory =
      uint64_t{1} << 30;        // bytes of tree and fringe; above it, the fringe goes to disk
  std::string directory = ".";  // where to
};

inline constexpr uint32_t kMaxDelays = 65535;

// Of best-first with reduction, where the user names no order.
inline constexpr const char* kReducedOrder = "mdpor,pb";

// Those that can run beside a search.
std::vector<std::string> sampler_names();

struct StrategyRecord {
  const char* name;
  std::optional<uint32_t> default_preemptions;  // where the user names no bound
  const char* default_order;                    // within a bound; null: it has no order
  bool needs_budget;                            // it never completes
  bool staged;                                  // it goes from small to large (staged_search.h)
  std::unique_ptr<Strategy> (*make)(const StrategyOptions& options);
};

std::span<const StrategyRecord> strategies();

// Of one that is staged, by the options of each of its stages; of another there is one.
std::unique_ptr<Strategy> make_strategy(const StrategyRecord& record,
                                        const std::vector<StrategyOptions>& stages);

// Whether it runs other schedules, or in another order, with another seed. What never completes
// chooses by chance.
bool uses_seed(const StrategyRecord& record, const std::vector<StrategyOptions>& stages);

// Throws UserError for a name that is not known, or not yet available.
const StrategyRecord& find_strategy(const std::string& name);

}  // namespace heddle::explore
