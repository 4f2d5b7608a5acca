// Looks at every execution of a search for places where a yield point is missing, and counts them.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "causality/races.h"
#include "options/options.h"
#include "report/yield_places.h"
#include "session/onlooker.h"
#include "session/subject.h"
#include "symbols/symbols.h"

namespace heddle::session {

// What is found in one execution, in steps or pending operations: the place is that of `at`, the
// others tell why. Those of which the first kDistinct look alike are one case.
struct Sighting {
  static constexpr size_t kDistinct = 2;
  uint32_t at;
  std::vector<uint32_t> steps;
};

// Conflicts: of each pair both places (trace/conflict_pairs.h), unless there is a yield point
// already.
std::vector<Sighting> sight_conflicts(const causality::Races& races, const wire::Result& result);
// Interference that no yield point covers, where it ends (trace/pieces.h).
std::vector<Sighting> sight_interference(const causality::Races& races, const wire::Result& result);

class PlaceSurvey : public Onlooker {
 public:
  using Sight = std::vector<Sighting> (*)(const causality::Races& races,
                                          const wire::Result& result);
  explicit PlaceSurvey(Sight sight) : sight_(sight) {}

  void begin() override;
  void look_at(const explore::Occurrence& what, const CloserLook& closer_look) override;

  uint64_t looked_at() const { return looked_at_; }
  // By rank.
  std::vector<report::YieldPlace> places() const;

 private:
  struct Case {
    report::YieldCase told;
    uint64_t seen_in = 0;  // the last execution that had it
  };
  struct Place {
    report::YieldPlace told;  // without its cases
    std::vector<Case> cases;
    uint64_t seen_in = 0;
  };
  // A case, by its numbers.
  struct Known {
    size_t place;
    size_t number;
  };

  bool tells_place(uint64_t pc, const explore::Occurrence& what);
  std::string key_of(const Sighting& sighting, const explore::Occurrence& what);
  std::vector<trace::DetailedStep> describe(std::vector<uint32_t> numbers,
                                            const explore::Occurrence& what,
                                            const CloserLook& closer_look) const;
  Known find(const Sighting& sighting, const std::vector<trace::DetailedStep>& steps);
  void count(const Known& known, uint64_t execution);

  Sight sight_;
  uint64_t looked_at_ = 0;
  causality::Races races_;
  std::vector<Place> places_;
  std::unordered_map<std::string, size_t> by_location_;
  std::unordered_map<std::string, size_t> case_numbers_;  // by place and words
  // Cases by the raw places of their steps, where these tell all.
  std::unordered_map<std::string, Known> known_;
  std::unordered_map<uint64_t, bool> tells_;  // by pc: see tells_place()
};

// A search whose executions are looked at for such places: the options are those of `run`.
report::YieldReport survey(const Subject& subject, const Options& options,
                           PlaceSurvey::Sight sight);

}  // namespace heddle::session
