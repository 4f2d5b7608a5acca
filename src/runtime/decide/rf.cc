#include "runtime/decide/rf.h"

#include "runtime/decide/by_priority.h"
#include "runtime/decide/pos.h"
#include "runtime/record/notes.h"
#include "runtime/record/objects.h"

namespace heddle::runtime {

namespace {

constexpr uint32_t kWriters = 8192;  // a power of two: objects of which the last writer is known
constexpr uint32_t kNames = 1024;    // a power of two
constexpr uint32_t kPairs = 4096;  // a power of two: that are noted of one execution, at most half
constexpr uint32_t kMostWanted = 64;
constexpr uint64_t kRequired = 1;

struct Writer {
  uint64_t object;  // address
  uint64_t epoch;   // of the execution; another: free
  uint64_t place;   // of who has changed it last
};

struct Name {
  uint64_t pc;
  uint64_t name;
};

struct Wanted {
  uint64_t kind;
  uint64_t reader;
  uint64_t writer;
  uint64_t object;
};
constexpr uint32_t kWordsOfHint = 4;

struct {
  uint64_t epoch;
  uint32_t writers;  // in use
  uint32_t pairs;    // noted
  uint32_t wanted;
  uint64_t met;  // bit i: required pair i has been read
  Wanted at[kMostWanted];
  Writer writer[kWriters];
  Name name[kNames];  // of places; they stay
  struct {
    uint64_t hash;
    uint64_t epoch;
  } pair[kPairs];
} g_rf;

uint64_t name_of(uint64_t pc) {
  Name& name = g_rf.name[(pc * kMix1) >> 54 & (kNames - 1)];
  if (name.pc != pc) name = {pc, object_name(pc)};
  return name.name;
}

// Of the object; null: it is new, and there is no room.
Writer* writer_of(uint64_t object) {
  for (uint64_t i = (object * kMix1) >> 40;; ++i) {
    Writer& writer = g_rf.writer[i & (kWriters - 1)];
    if (writer.epoch == g_rf.epoch && writer.object == object) return &writer;
    if (writer.epoch == g_rf.epoch) continue;
    if (g_rf.writers >= kWriters / 2) return nullptr;
    ++g_rf.writers;
    writer = {object, g_rf.epoch, 0};
    return &writer;
  }
}

// Whether it has not been noted yet.
bool is_new_pair(uint64_t reader, uint64_t writer) {
  uint64_t hash = mix(reader, writer);
  for (uint64_t i = hash >> 40;; ++i) {
    auto& pair = g_rf.pair[i & (kPairs - 1)];
    if (pair.epoch == g_rf.epoch && pair.hash == hash) return false;
    if (pair.epoch == g_rf.epoch) continue;
    if (g_rf.pairs >= kPairs / 2) return false;
    ++g_rf.pairs;
    pair = {hash, g_rf.epoch};
    return true;
  }
}

// Threads as objects are left out: who creates and joins them hardly ever changes.
bool is_on_object(const Thread* thread) {
  return wire::op_effect(thread->pending.op) != '-' && thread->pending.object >> 63 == 0;
}
bool reads(const Thread* thread) {
  wire::Op op = thread->pending.op;
  return wire::op_effect(op) == 'r' || wire::has(op, wire::kMayOnlyRead) ||
         wire::has(op, wire::kWaits) || wire::has(op, wire::kTries);
}
bool changes(const Thread* thread) { return wire::op_effect(thread->pending.op) == 'w'; }

// What the pair's writer has left is to be read: the thread's object may be the one. Where nobody
// has written yet, all objects look alike.
bool is_kept_for(const Wanted& wanted, const Thread* thread) {
  if (wanted.writer != 0) return true;
  return find_object(thread->pending.object, thread->pending.bytes)->name == wanted.object;
}

// How much what the thread would do is wanted: 0 not, 1 it does not matter, 2 much.
uint32_t worth(const Thread* thread) {
  if (g_rf.wanted == 0 || !is_on_object(thread)) return 1;
  uint64_t place = name_of(thread->pending.pc);
  const Writer* last = writer_of(thread->pending.object);
  uint64_t from = last != nullptr ? last->place : 0;
  uint32_t worth = 1;
  for (uint32_t i = 0; i < g_rf.wanted; ++i) {
    const Wanted& wanted = g_rf.at[i];
    bool would_read = place == wanted.reader && reads(thread);
    bool is_there = from == wanted.writer;
    if (wanted.kind != kRequired) {
      if (would_read && is_there) return 0;
      continue;
    }
    if ((g_rf.met >> i & 1) != 0) continue;
    if (would_read && !is_there) return 0;
    if (would_read || place == wanted.writer) {
      worth = 2;
    } else if (is_there && changes(thread) && is_kept_for(wanted, thread)) {
      return 0;
    }
  }
  return worth;
}

void begin(const wire::Job& job) {
  ++g_rf.epoch;
  g_rf.writers = g_rf.pairs = 0;
  g_rf.met = 0;
  g_rf.wanted = job.hint_count / kWordsOfHint;
  if (g_rf.wanted > kMostWanted) g_rf.wanted = kMostWanted;
  const uint64_t* word = g_run.hints;
  for (uint32_t i = 0; i < g_rf.wanted; ++i, word += kWordsOfHint) {
    g_rf.at[i] = {word[0], word[1], word[2], word[3]};
  }
  pos_begin(job);
}

void follow(const Thread* thread) {
  if (!is_on_object(thread)) return;
  Writer* last = writer_of(thread->pending.object);
  if (last == nullptr) return;
  uint64_t place = name_of(thread->pending.pc);
  for (uint32_t i = 0; i < g_rf.wanted; ++i) {
    const Wanted& wanted = g_rf.at[i];
    if (place == wanted.reader && last->place == wanted.writer) g_rf.met |= uint64_t{1} << i;
  }
  bool notes = (g_run.job.flags & wire::kNoteReads) != 0 && reads(thread);
  if (notes && is_new_pair(place, last->place)) {
    note(find_object(thread->pending.object, thread->pending.bytes)->name);
    note(place);
    note(last->place);
  }
  if (changes(thread)) last->place = place;
}

uint32_t choose(const ChoicePoint& point) {
  const Thread* thread = highest(
      point, [](const Thread* other) { return rank_of(other, pos_priority(other), worth(other)); });
  follow(thread);
  return pos_take(point, thread);
}

}  // namespace

const Decider kRfDecider{begin, pos_thread_added, choose, nullptr, true};

}  // namespace heddle::runtime
