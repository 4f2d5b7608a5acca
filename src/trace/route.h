// The route of a guided search: the places that it is to go through, from what they are called to
// code.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "trace/evidence.h"
#include "trace/source_line.h"
#include "wire/places.h"

namespace heddle::trace {

struct RoutePlace {
  std::string text;  // as it was given: "queue.h:41", "Queue::push@2"
  uint32_t thread = wire::kNoThread;
  bool by_another = false;  // than who has passed the place before: wire::Route
  std::vector<wire::Stretch> code;
};

struct Route {
  std::vector<RoutePlace> places;
  std::vector<wire::Stretch> code;  // of all of them, as wire::Places wants it
  bool tells_calls = true;          // wire::Route
  std::shared_ptr<const std::vector<uint32_t>> distances;  // as wire::Route has them; or null
};

// Looks in the modules of an execution, for lines of which something can be seen. Throws UserError:
// there is no such place, and what there is instead.
Route find_route(const Modules& modules, const std::vector<std::string>& texts, const Seen& seen);

// In order, and none within another: where some overlap, the pieces have the attributes of all.
std::vector<wire::Stretch> disjoint(std::vector<wire::Stretch> stretches);

}  // namespace heddle::trace
