#include "explore/order.h"

#include <algorithm>
#include <array>

#include "base/check.h"
#include "explore/priority/dpor.h"
#include "explore/priority/focus.h"
#include "explore/priority/mdpor.h"
#include "explore/priority/pb.h"
#include "explore/priority/rand.h"
#include "explore/priority/ss.h"

namespace heddle::explore {

namespace {

using Made = std::unique_ptr<Priority>;

struct PriorityRecord {
  const char* name;
  bool by_partial_order;
  Made (*make)(uint64_t seed);  // null: the user has written it
  bool uses_seed = false;
};

constexpr auto kPriorities = std::to_array<PriorityRecord>({
    {"pb", false, [](uint64_t) -> Made { return std::make_unique<FewPreemptions>(); }},
    {"dpor", true, [](uint64_t) -> Made { return std::make_unique<Reversals>(); }},
    {"ss", true, [](uint64_t) -> Made { return std::make_unique<Awake>(); }},
    {"mdpor", true, [](uint64_t) -> Made { return std::make_unique<SureReversals>(); }},
    {"rand", false, [](uint64_t seed) -> Made { return std::make_unique<ByChance>(seed); }, true},
    {"method", false, [](uint64_t) -> Made { return std::make_unique<InFocus>(wire::kInFocus); }},
    {"var", false, [](uint64_t) -> Made { return std::make_unique<InFocus>(wire::kVarInFocus); }},
    {"user", false, nullptr},
});

}  // namespace

std::vector<std::string> priority_names() {
  std::vector<std::string> names;
  for (const PriorityRecord& record : kPriorities) names.emplace_back(record.name);
  return names;
}

bool uses_seed(const std::vector<std::string>& order) {
  return std::ranges::any_of(kPriorities, [&](const PriorityRecord& record) {
    return record.uses_seed && std::ranges::find(order, record.name) != order.end();
  });
}

Order::Order(const std::vector<std::string>& names, uint64_t seed, bool reduced,
             const UserFunction& user) {
  HEDDLE_CHECK(names.size() <= kMaxOrder);
  for (const std::string& name : names) {
    size_t before = functions_.size();
    for (const PriorityRecord& record : kPriorities) {
      if (name != record.name) continue;
      by_partial_order_ = by_partial_order_ || (record.by_partial_order && !reduced);
      functions_.push_back(record.make != nullptr ? record.make(seed)
                                                  : std::make_unique<UserWritten>(user));
    }
    HEDDLE_CHECK(functions_.size() == before + 1);
    by_choice_ = by_choice_ || functions_.back()->by_choice();
    needs_whole_ = needs_whole_ || functions_.back()->needs_whole();
  }
}

}  // namespace heddle::explore
