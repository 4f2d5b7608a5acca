#include "explore/sample/reads_from.h"

#include <algorithm>

namespace heddle::explore {

namespace {

constexpr uint64_t kRequired = 1;
constexpr uint64_t kForbidden = 2;
constexpr size_t kMostKept = 4096;
constexpr size_t kMostSites = 4096;
constexpr size_t kMostPlaces = 64;  // of one object
constexpr size_t kMostWanted = 8;   // pairs that are asked for at once
constexpr int kTries = 6;           // pairs that are drawn, of which one is taken
constexpr uint64_t kFreely = 4;     // one of so many executions is asked for nothing
constexpr uint64_t kOfPairs = 1;    // tells the seed of the pairs from the decider's
constexpr uint64_t kWordsOfNote = 3;
constexpr uint64_t kWordsOfHint = 4;

void add_once(std::vector<uint64_t>* places, uint64_t place) {
  if (places->size() < kMostPlaces && std::ranges::find(*places, place) == places->end()) {
    places->push_back(place);
  }
}

}  // namespace

void ReadsFrom::prepare(pool::Plan* plan) {
  plan->flags |= wire::kNoteReads;
  Random random(mix(plan->seed, kOfPairs));
  if (kept_.empty() || sites_.empty() || random.below(kFreely) == 0) return;
  std::vector<Wanted> wanted = kept_[random.below(kept_.size())];
  bool drops = !wanted.empty() && (wanted.size() >= kMostWanted || random.below(4) == 0);
  if (drops) {
    wanted.erase(wanted.begin() + static_cast<ptrdiff_t>(random.below(wanted.size())));
  }
  if (!drops || random.below(2) == 0) wanted.push_back(draw(&random));
  std::vector<uint64_t> words;
  for (const Wanted& pair : wanted) {
    words.insert(words.end(), {pair.kind, pair.reader, pair.writer, pair.object});
  }
  hints_.give(plan, words);
}

ReadsFrom::Wanted ReadsFrom::draw(Random* random) {
  Wanted best{};
  uint32_t fewest = 0;
  for (int i = 0; i < kTries; ++i) {
    const Site& site = sites_[random->below(sites_.size())];
    Wanted drawn{kRequired, site.readers[random->below(site.readers.size())],
                 site.writers[random->below(site.writers.size())], site.object};
    uint64_t pair = mix(drawn.reader, drawn.writer);
    bool is_seen = seen_.contains(pair);
    if (is_seen && random->below(2) == 0) drawn.kind = kForbidden;
    auto asked = asked_.find(mix(pair, drawn.kind));
    uint32_t times = (asked != asked_.end() ? asked->second : 0) * 2 + (is_seen ? 1 : 0);
    if (i != 0 && times >= fewest) continue;
    fewest = times;
    best = drawn;
  }
  ++asked_[mix(mix(best.reader, best.writer), best.kind)];
  return best;
}

void ReadsFrom::note_use(uint64_t object, uint64_t reader, uint64_t writer) {
  auto found = site_of_.find(object);
  if (found == site_of_.end()) {
    if (sites_.size() >= kMostSites) return;
    found = site_of_.emplace(object, sites_.size()).first;
    sites_.push_back({object, {}, {0}});
  }
  Site& site = sites_[found->second];
  add_once(&site.readers, reader);
  add_once(&site.writers, writer);
}

void ReadsFrom::look_at(const pool::Plan& plan, causality::Observation& observation) {
  std::span<const uint64_t> notes = observation.execution().notes;
  bool is_new = false;
  uint64_t all = 0;
  for (; notes.size() >= kWordsOfNote; notes = notes.subspan(kWordsOfNote)) {
    note_use(notes[0], notes[1], notes[2]);
    uint64_t pair = mix(notes[1], notes[2]);
    is_new |= seen_.insert(pair).second;
    all += mix(pair, kMix1);
  }
  is_new |= kept_.size() < kMostKept && seen_.insert(all).second;
  if (!is_new || kept_.size() >= kMostKept) return;
  std::vector<Wanted> wanted;
  std::span<const uint64_t> words = hints_.of(plan);
  for (; words.size() >= kWordsOfHint; words = words.subspan(kWordsOfHint)) {
    wanted.push_back({words[0], words[1], words[2], words[3]});
  }
  kept_.push_back(std::move(wanted));
}

void ReadsFrom::save(ByteWriter& out) const {
  HintingSampler::save(out);
  out.put_all(std::vector<uint64_t>(seen_.begin(), seen_.end()));
  out.put<uint64_t>(sites_.size());
  for (const Site& site : sites_) {
    out.put(site.object);
    out.put_all(site.readers);
    out.put_all(site.writers);
  }
  out.put<uint64_t>(asked_.size());
  for (const auto& [pair, times] : asked_) {
    out.put(pair);
    out.put(times);
  }
  out.put<uint64_t>(kept_.size());
  for (const std::vector<Wanted>& wanted : kept_) out.put_all(wanted);
}

void ReadsFrom::load(ByteReader& in) {
  HintingSampler::load(in);
  for (uint64_t pair : in.get_all<uint64_t>()) seen_.insert(pair);
  sites_.resize(in.get_count());
  for (Site& site : sites_) {
    in.get(&site.object);
    site_of_.emplace(site.object, static_cast<size_t>(&site - sites_.data()));
    site.readers = in.get_all<uint64_t>();
    site.writers = in.get_all<uint64_t>();
    in.check(!site.readers.empty() && !site.writers.empty());
  }
  for (auto left = in.get_count(); left > 0; --left) {
    auto pair = in.get<uint64_t>();
    in.get(&asked_[pair]);
  }
  kept_.resize(in.get_count());
  for (std::vector<Wanted>& wanted : kept_) wanted = in.get_all<Wanted>();
}

}  // namespace heddle::explore
