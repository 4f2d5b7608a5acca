#include "explore/fringe.h"

namespace heddle::explore {

Fringe::Chunk* Fringe::take_chunk() {
  if (free_.empty()) {
    chunks_.push_back(std::make_unique_for_overwrite<Chunk>());
    return chunks_.back().get();
  }
  Chunk* chunk = free_.back();
  free_.pop_back();
  return chunk;
}

Fringe::Bins::value_type* Fringe::find(const Key& key) {
  auto place = bins_.lower_bound(key);
  if (place != bins_.end() && place->first == key) return &*place;
  if (spare_.empty()) {
    place = bins_.emplace_hint(place, key, Bin());
    place->second.top = take_chunk();
  } else {
    Bins::node_type spare = std::move(spare_.back());
    spare_.pop_back();
    spare.key() = key;
    place = bins_.insert(place, std::move(spare));
  }
  best_ = &*bins_.begin();
  return &*place;
}

void Fringe::add_chunk(Bin& bin) {
  bin.full.push_back(bin.top);
  bin.top = take_chunk();
  bin.count = 0;
}

// The best bin has used up its topmost chunk.
void Fringe::drop_chunk(Bin& bin) {
  if (!bin.full.empty()) {
    free_.push_back(bin.top);
    bin.top = bin.full.back();
    bin.full.pop_back();
    bin.count = kChunkEntries;
    return;
  }
  if (recent_ == best_) recent_ = nullptr;
  spare_.push_back(bins_.extract(bins_.begin()));
  best_ = bins_.empty() ? nullptr : &*bins_.begin();
}

}  // namespace heddle::explore
