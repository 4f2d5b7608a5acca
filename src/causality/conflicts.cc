#include "causality/conflicts.h"

#include "base/hash.h"
#include "wire/kinds.h"

namespace heddle::causality {

void Conflicts::look_at(const Races& races, uint32_t begin) {
  if (table_.empty()) table_.assign(kLeastPlaces, {});
  ++epoch_;
  object_count_ = 0;
  others_at_.assign(races.step_count(), 0);
  for (uint32_t i = races.step_count(); i-- > begin;) {
    const wire::Step& step = races.event(i);
    if (step.thread >= kMaxThreads) continue;
    uint64_t thread = uint64_t{1} << step.thread;
    races.for_each_object(step, [&](uint64_t name, bool changes) {
      others_at_[i] |= others_of(name, changes, thread);
    });
  }
}

// Those with which the thread conflicts; it is one of the users from now on.
uint64_t Conflicts::others_of(uint64_t object, bool changes, uint64_t thread) {
  Users& users = users_of(object);
  uint64_t others = changes ? users.readers | users.writers : users.writers;
  (changes ? users.writers : users.readers) |= thread;
  return others & ~thread;
}

Conflicts::Users& Conflicts::users_of(uint64_t object) {
  uint64_t mask = table_.size() - 1;
  for (uint64_t i = mix(object, kMix1);; ++i) {
    Users& place = table_[i & mask];
    if (place.epoch == epoch_) {
      if (place.object == object) return place;
      continue;
    }
    if (++object_count_ * 2 > table_.size()) {
      grow_table();
      return users_of(object);
    }
    place = {object, epoch_, 0, 0};
    return place;
  }
}

void Conflicts::grow_table() {
  old_table_.clear();
  for (const Users& entry : table_) {
    if (entry.epoch == epoch_) old_table_.push_back(entry);
  }
  table_.assign(table_.size() * 2, {});
  object_count_ = 0;
  for (const Users& entry : old_table_) users_of(entry.object) = entry;
}

}  // namespace heddle::causality
