#include "explore/fringe.h"

#include <malloc.h>

#include <algorithm>

namespace heddle::explore {

Fringe::Fringe(std::string directory, Holds holds)
    : holds_(holds), file_(std::move(directory), kChunkBytes) {}

Fringe::~Fringe() {
  auto free_chunks = [](Bin& bin) {
    for (size_t i = bin.spilled; i < bin.full.size(); ++i) delete[] chunk_of(bin.full[i]);
    delete[] bin.top;
  };
  for (auto& [key, bin] : bins_) free_chunks(bin);
  for (Bins::node_type& spare : spare_) free_chunks(spare.mapped());
  for (Entry* chunk : free_) delete[] chunk;
}

Entry* Fringe::take_chunk() {
  if (free_.empty()) {
    allocated_ += kChunkEntries;
    return new Entry[kChunkEntries];
  }
  Entry* chunk = free_.back();
  free_.pop_back();
  return chunk;
}

Fringe::Bins::value_type* Fringe::find(const Key& key) {
  auto place = bins_.lower_bound(key);
  if (place != bins_.end() && place->first == key) return &*place;
  if (spare_.empty()) {
    place = bins_.emplace_hint(place, key, Bin());
  } else {
    Bins::node_type spare = std::move(spare_.back());
    spare_.pop_back();
    spare.key() = key;
    place = bins_.insert(place, std::move(spare));
  }
  best_ = &*bins_.begin();
  return &*place;
}

void Fringe::grow(Bin& bin) {
  if (bin.capacity == kChunkEntries) {
    bin.full.push_back(reinterpret_cast<uint64_t>(bin.top));
    bin.top = take_chunk();
    bin.count = 0;
    return;
  }
  uint32_t capacity = std::max(kLeastEntries, 2 * bin.capacity);
  auto* top = new Entry[capacity];
  std::copy_n(bin.top, bin.count, top);
  delete[] bin.top;
  bin.top = top;
  allocated_ += capacity - bin.capacity;
  bin.capacity = capacity;
}

// The best bin has used up its topmost chunk. One that is on disk is loaded when it is wanted:
// until then others may be pushed.
void Fringe::drop_chunk(Bin& bin) {
  if (bin.full.size() > bin.spilled) {
    free_.push_back(bin.top);
    bin.top = chunk_of(bin.full.back());
    bin.full.pop_back();
    bin.count = kChunkEntries;
    return;
  }
  if (!bin.full.empty()) return;
  if (recent_ == best_) recent_ = nullptr;
  spare_.push_back(bins_.extract(bins_.begin()));
  best_ = bins_.empty() ? nullptr : &*bins_.begin();
}

void Fringe::load_chunk(Bin& bin) {
  file_.take(static_cast<uint32_t>(bin.full.back()), bin.top);
  bin.full.pop_back();
  --bin.spilled;
  --spilled_;
  bin.count = kChunkEntries;
}

// From the bottom of what is in memory.
void Fringe::spill(Bin& bin, uint64_t chunks) {
  for (; chunks > 0 && bin.spilled < bin.full.size(); --chunks) {
    uint64_t& place = bin.full[bin.spilled];
    uint32_t number = file_.put(chunk_of(place));
    delete[] chunk_of(place);
    place = number;
    ++bin.spilled;
    ++spilled_;
    allocated_ -= kChunkEntries;
  }
}

void Fringe::free_spare_chunks() {
  for (Entry* chunk : free_) delete[] chunk;
  allocated_ -= free_.size() * kChunkEntries;
  for (Bins::node_type& spare : spare_) {
    delete[] spare.mapped().top;
    allocated_ -= spare.mapped().capacity;
  }
  free_.clear();
  spare_.clear();
}

void Fringe::spill(uint64_t bytes) {
  free_spare_chunks();
  // In chunks.
  auto excess = [&] {
    uint64_t much = this->bytes() - std::min(this->bytes(), bytes);
    return (much + kChunkBytes - 1) / kChunkBytes;
  };
  for (auto bin = bins_.rbegin(); bin != bins_.rend() && excess() > 0; ++bin) {
    uint64_t in_memory = bin->second.full.size() - bin->second.spilled;
    bool is_best = &*bin == best_;
    spill(bin->second, std::min(excess(), is_best ? (in_memory + 1) / 2 : in_memory));
  }
  malloc_trim(0);
}

void Fringe::save(ByteWriter& out) const {
  out.put<uint64_t>(entries_);
  for_each([&](const Key& key, const Entry& entry) {
    out.put(key);
    out.put(entry);
  });
}

void Fringe::load(ByteReader& in, const std::function<void(const Entry&)>& look_at,
                  const std::function<void()>& after_some) {
  auto entries = in.get_count(sizeof(Key) + sizeof(Entry));
  for (uint64_t i = 0; i < entries; ++i) {
    auto key = in.get<Key>();
    auto entry = in.get<Entry>();
    in.check(holds_ == Holds::schedules || entry.choice <= entry.extra);
    look_at(entry);
    push(key, entry);
    if (i % kChunkEntries == 0) after_some();
  }
}

}  // namespace heddle::explore
