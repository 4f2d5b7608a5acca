// Where an execution could have gone otherwise: at which place of the program most.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "symbols/modules.h"
#include "wire/layout.h"

namespace heddle::session {

struct Switches {
  std::string place;  // "queue.h:41"
  uint32_t here = 0;  // options beside the one taken, at all steps of this place
  uint32_t all = 0;   // … of the execution
};

// The place that has at least half of them; none: there is no such place, or there are few.
std::optional<Switches> most_switches(std::span<const wire::Step> steps,
                                      const symbols::Modules& modules);

}  // namespace heddle::session
