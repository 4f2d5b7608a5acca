#include "session/route.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "flow/distances.h"
#include "session/examiner.h"
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
  if (options.uninstrumented) {
    throw UserError(
        "--through needs a program that was built with heddle-c++; leave it out with "
        "--uninstrumented");
  }
  pool::Settings settings = settings_of(options);
  settings.show_output = 0;  // it is no execution of the search
  Examiner examiner(subject.launch, settings);
  std::optional<Examined> shown = examiner.run(Rerun(), true);
  if (!shown.has_value()) return {};
  flow::ProgramGraph graph = graph_of(subject, options);
  flow::Distances calls = flow::distances(graph, {});
  auto seen = [&](const wire::Stretch& stretch) { return has_call(calls, stretch); };
  trace::Route route = trace::find_route(shown->modules, options.through, seen);
  route.distances = std::make_shared<const std::vector<uint32_t>>(distances_to(route, graph));
  return route;
}

}  // namespace heddle::session
