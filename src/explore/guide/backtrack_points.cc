#include "explore/guide/backtrack_points.h"

#include <algorithm>

namespace heddle::explore {

void BacktrackPoints::add(uint32_t level, uint32_t distance, const BacktrackPoint& point) {
  levels_[std::min<size_t>(level, levels_.size() - 1)][distance].push_back(point);
  ++size_;
}

BacktrackPoint BacktrackPoints::take_from(Level* level, Level::iterator bin, size_t number) {
  std::vector<BacktrackPoint>& points = bin->second;
  BacktrackPoint point = points[number];
  points[number] = points.back();
  points.pop_back();
  if (points.empty()) level->erase(bin);
  --size_;
  return point;
}

std::optional<BacktrackPoint> BacktrackPoints::take(Random* random) {
  std::vector<Level*> some;
  for (Level& level : levels_) {
    if (!level.empty()) some.push_back(&level);
  }
  if (some.empty()) return std::nullopt;
  Level* level = some[random->below(some.size())];
  auto nearest = level->begin();
  return take_from(level, nearest, random->below(nearest->second.size()));
}

std::optional<BacktrackPoint> BacktrackPoints::drop() {
  if (size_ <= most_) return std::nullopt;
  auto level = std::ranges::find_if(levels_, [](const Level& some) { return !some.empty(); });
  auto farthest = std::prev(level->end());
  return take_from(&*level, farthest, farthest->second.size() - 1);
}

void BacktrackPoints::save(ByteWriter& out) const {
  for (const Level& level : levels_) {
    out.put<uint64_t>(level.size());
    for (const auto& [distance, points] : level) {
      out.put(distance);
      out.put_all(points);
    }
  }
  out.put(size_);
}

void BacktrackPoints::load(ByteReader& in) {
  for (Level& level : levels_) {
    for (auto left = in.get_count(); left > 0; --left) {
      auto distance = in.get<uint32_t>();
      level[distance] = in.get_all<BacktrackPoint>();
      in.check(!level[distance].empty());
    }
  }
  in.get(&size_);
  uint64_t points = 0;
  for_each([&](const BacktrackPoint&) { ++points; });
  in.check(points == size_);
}

}  // namespace heddle::explore
