// Where the places of a guided search are, and how far it is to them: those of --through, or places
// that race.
#pragma once

#include <optional>
#include <vector>

#include "options/options.h"
#include "session/subject.h"

namespace heddle::session {

// Finds what Options::through names, in the modules of the program as it stands after the default
// schedule, which is run once for that. Throws UserError for a place that means nothing, or at
// which nothing can be seen.
trace::Route find_route(const Subject& subject, const Options& options);

// All places of the route, as they were given.
wire::RouteSequence sequence_of_all(uint32_t places);

// Two places of the program that race, as addresses in its file: what returns there.
struct RacingPair {
  uint64_t one;
  uint64_t other;
};
inline constexpr uint32_t kPlacesOfRace = 2;

// nullopt: one of the two is in a library, or not known.
std::optional<RacingPair> pair_of(const wire::FoundPlace& place, const trace::Modules& modules);

// A route that has the first of these pairs, as many as it has room for, and each pair in both
// orders. Without distances if the program's control flow cannot be read.
struct RacingRoute {
  trace::Route route;
  std::vector<wire::RouteSequence> sequences;
};
RacingRoute racing_route(const Subject& subject, const Options& options,
                         const std::vector<RacingPair>& pairs);

}  // namespace heddle::session
