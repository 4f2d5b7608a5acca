// The backtrack points of a guided search (Rungta and Mercer, figure 5): choices that a descent did
// not make, by the number of places that it had passed, and by their rank among those.
//
// The search comes back to one of them when a descent has ended: at a level that chance picks, of
// the nearest there any. Their number is bounded, as the paper has it (section 2.2), which does not
// say what goes: here it is what is farthest, at the lowest level.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "base/random.h"
#include "explore/bytes.h"

namespace heddle::explore {

struct BacktrackPoint {
  uint32_t descent;  // the strategy's own
  uint32_t branch;   // of its branches
  uint16_t choice;
};

class BacktrackPoints {
  using Level = std::map<uint32_t, std::vector<BacktrackPoint>>;  // by distance, none empty

 public:
  // Levels from 0 to `places`; at most so many points.
  BacktrackPoints(uint32_t places, uint32_t most) : levels_(places + 1), most_(most) {}

  void add(uint32_t level, uint32_t distance, const BacktrackPoint& point);
  // None if there are no more.
  std::optional<BacktrackPoint> take(Random* random);
  // What has to go, one by one, until there are no more than may be; none: nothing has.
  std::optional<BacktrackPoint> drop();

  uint64_t size() const { return size_; }
  template <typename Visit>
  void for_each(Visit visit) const {
    for (const Level& level : levels_) {
      for (const auto& [distance, points] : level) {
        for (const BacktrackPoint& point : points) visit(point);
      }
    }
  }

  void save(ByteWriter& out) const;
  void load(ByteReader& in);

 private:
  BacktrackPoint take_from(Level* level, Level::iterator bin, size_t number);

  std::vector<Level> levels_;
  uint64_t most_;
  uint64_t size_ = 0;
};

}  // namespace heddle::explore
