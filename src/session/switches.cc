#include "session/switches.h"

#include <algorithm>
#include <map>

#include "symbols/place.h"
#include "symbols/symbols.h"

namespace heddle::session {

namespace {

constexpr uint32_t kFew = 10;

}  // namespace

std::optional<Switches> most_switches(std::span<const wire::Step> steps,
                                      const symbols::Modules& modules) {
  std::map<uint64_t, uint32_t> at_code;
  Switches most;
  for (const wire::Step& step : steps) {
    if (step.options < 2) continue;
    at_code[step.pc] += step.options - 1u;
    most.all += step.options - 1u;
  }
  if (most.all < kFew) return std::nullopt;
  symbols::Symbols symbols(modules);
  std::map<std::string, uint32_t> at_place;
  for (const auto& [pc, count] : at_code) {
    symbols::CallStack stack = symbols.places(pc);
    const symbols::Place* place = symbols::user_place(stack);
    if (place == nullptr || place->system) continue;
    at_place[symbols::short_place(*place)] += count;
  }
  auto largest = std::ranges::max_element(at_place, {}, [](const auto& at) { return at.second; });
  if (largest == at_place.end() || 2 * largest->second < most.all) return std::nullopt;
  most.place = largest->first;
  most.here = largest->second;
  return most;
}

}  // namespace heddle::session
