// Somebody who looks at every execution of a search, with all of its steps, and for whom the search
// is made. Failures are counted then, but neither looked at nor kept, and the search is not saved.
#pragma once

#include <functional>
#include <optional>

#include "explore/search.h"
#include "session/examiner.h"

namespace heddle::session {

class Onlooker {
 public:
  virtual ~Onlooker() = default;

  // A search begins, maybe anew, since it has learnt that places race: what was seen is void.
  virtual void begin() = 0;

  // Runs the execution once more, with details. nullopt: there was an interrupt, or it went another
  // way.
  using CloserLook = std::function<std::optional<Examined>()>;
  virtual void look_at(const explore::Occurrence& what, const CloserLook& closer_look) = 0;
};

}  // namespace heddle::session
