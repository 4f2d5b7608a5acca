#include "explore/order.h"

#include <array>

#include "base/check.h"
#include "explore/priority/pb.h"
#include "explore/priority/rand.h"

namespace heddle::explore {

namespace {

struct PriorityRecord {
  const char* name;
  std::unique_ptr<Priority> (*make)(uint64_t seed);
};

constexpr auto kPriorities = std::to_array<PriorityRecord>({
    {"pb",
     [](uint64_t) -> std::unique_ptr<Priority> { return std::make_unique<FewPreemptions>(); }},
    {"rand",
     [](uint64_t seed) -> std::unique_ptr<Priority> { return std::make_unique<ByChance>(seed); }},
});

}  // namespace

std::vector<std::string> priority_names() {
  std::vector<std::string> names;
  for (const PriorityRecord& record : kPriorities) names.emplace_back(record.name);
  return names;
}

Order::Order(const std::vector<std::string>& names, uint64_t seed) {
  HEDDLE_CHECK(names.size() <= kMaxOrder);
  for (const std::string& name : names) {
    size_t before = functions_.size();
    for (const PriorityRecord& record : kPriorities) {
      if (name == record.name) functions_.push_back(record.make(seed));
    }
    HEDDLE_CHECK(functions_.size() == before + 1);
  }
}

}  // namespace heddle::explore
