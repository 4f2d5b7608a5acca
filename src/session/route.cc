#include "session/route.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "flow/distances.h"
#include "session/first_look.h"
#include "session/status_line.h"

namespace heddle::session {

namespace {

// Whether there is a call, of a hook or of a function, in the stretch: then a thread that goes
// through it is noticed. Of libraries nothing is known.
bool has_call(const flow::Distances& table, const wire::Stretch& stretch) {
  if (stretch.module != 0) return true;
  size_t low = 0;
  for (size_t high = table.rows(); low < high;) {
    size_t middle = low + (high - low) / 2;
    bool is_before = table.row(middle)[0] < stretch.begin;
    (is_before ? low : high) = is_before ? middle + 1 : middle;
  }
  return low < table.rows() && table.row(low)[0] < stretch.end;
}

std::vector<uint32_t> distances_to(const trace::Route& route, const flow::ProgramGraph& graph) {
  std::vector<flow::Target> targets;
  for (const trace::RoutePlace& place : route.places) {
    flow::Target& target = targets.emplace_back();
    for (const wire::Stretch& stretch : place.code) {
      if (stretch.module == 0) target.push_back({stretch.begin, stretch.end});
    }
  }
  return std::move(flow::distances(graph, targets).words);
}

flow::ProgramGraph graph_of(const Subject& subject, const Options& options) {
  StatusLine status(!options.quiet);
  return flow::ProgramGraph::read(subject.path, [&](uint64_t done, uint64_t total) {
    status.show(fmt::format("reading the control flow of the program: {} of {} KB", done >> 10,
                            total >> 10));
  });
}

}  // namespace

trace::Route find_route(const Subject& subject, const Options& options) {
  if (options.through.empty()) return {};
  need_instrumented(options, "through");
  std::optional<Examined> shown = first_look(subject, options);
  if (!shown.has_value()) return {};
  flow::ProgramGraph graph = graph_of(subject, options);
  flow::Distances calls = flow::distances(graph, {});
  auto seen = [&](const wire::Stretch& stretch) { return has_call(calls, stretch); };
  trace::Route route = trace::find_route(shown->modules, options.through, seen);
  route.distances = std::make_shared<const std::vector<uint32_t>>(distances_to(route, graph));
  return route;
}

wire::RouteSequence sequence_of_all(uint32_t places) {
  wire::RouteSequence sequence = 0;
  for (uint32_t i = 0; i < places; ++i) sequence |= wire::RouteSequence{i} << (4 * i);
  return sequence;
}

std::optional<RacingPair> pair_of(const wire::FoundPlace& place, const trace::Modules& modules) {
  if (modules.empty()) return std::nullopt;
  const wire::Module& program = modules.front();
  auto is_inside = [&](uint64_t pc) { return pc >= program.begin && pc < program.end; };
  if (!is_inside(place.pc) || !is_inside(place.other_pc)) return std::nullopt;
  return RacingPair{place.pc - program.base, place.other_pc - program.base};
}

RacingRoute racing_route(const Subject& subject, const Options& options,
                         const std::vector<RacingPair>& pairs) {
  RacingRoute found;
  found.route.tells_calls = false;
  std::vector<uint64_t> places;
  auto number_of = [&](uint64_t address) {
    auto known = std::ranges::find(places, address);
    if (known == places.end()) known = places.insert(places.end(), address);
    return static_cast<wire::RouteSequence>(known - places.begin());
  };
  for (const auto& [one, other] : pairs) {
    if (places.size() + kPlacesOfRace > wire::kMaxRoute) break;
    wire::RouteSequence first = number_of(one);
    wire::RouteSequence second = number_of(other);
    for (wire::RouteSequence sequence : {first | second << 4, second | first << 4}) {
      auto known = std::ranges::find(found.sequences, sequence);
      if (known == found.sequences.end()) found.sequences.push_back(sequence);
    }
  }
  for (uint32_t i = 0; i < places.size(); ++i) {
    trace::RoutePlace& place = found.route.places.emplace_back();
    place.by_another = true;
    place.code = {{0, places[i] - 1, places[i], wire::kRoutePlace, wire::RouteBits{1} << i}};
    found.route.code.push_back(place.code.front());
  }
  found.route.code = trace::disjoint(std::move(found.route.code));
  try {
    found.route.distances = std::make_shared<const std::vector<uint32_t>>(
        distances_to(found.route, graph_of(subject, options)));
  } catch (const UserError&) {
    found.route.distances = nullptr;  // then everybody is equally far
  }
  return found;
}

}  // namespace heddle::session
