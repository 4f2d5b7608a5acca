#include "trace/conflict_pairs.h"

#include "wire/dependence.h"

namespace heddle::trace {

std::vector<ConflictPair> find_conflict_pairs(const causality::Races& races) {
  std::vector<ConflictPair> pairs;
  for (const causality::Race& race : races.found()) {
    if (race.conservative || race.second >= races.step_count()) continue;
    const wire::Step& first = races.event(race.first);
    const wire::Step& second = races.event(race.second);
    if (wire::depends_on_all(first.op) || wire::depends_on_all(second.op)) continue;
    if (wire::depend(wire::effect_elsewhere(first), wire::effect_elsewhere(second))) {
      pairs.push_back({race.first, race.second});
    }
  }
  return pairs;
}

}  // namespace heddle::trace
