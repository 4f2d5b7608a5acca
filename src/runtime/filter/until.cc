#include "runtime/filter/until.h"

#include <string.h>

#include "runtime/ending/ending.h"
#include "runtime/filter/scenario.h"
#include "runtime/isolate/modules.h"
#include "runtime/run.h"

namespace heddle::runtime {

bool g_watches_calls;

namespace {

constexpr uint32_t kMostEntries = 64;
constexpr uint32_t kNone = 0xffffffff;

struct Until {
  heddle_until entries[kMostEntries];  // in postfix order
  uint32_t count;
  bool only_labels;  // are yield points
  // Of each entry that names a place: which it is, whether the thread was there when it was last
  // looked at, and the frame of the function that was entered, and not left; 0: there is none.
  const wire::ScriptPlace* places[kMostEntries];
  bool inside[kMostEntries];
  uint64_t frames[kMostEntries];
  uint32_t reached;  // the entry whose place the thread has come to just now; kNone: none
};
Until g_until;

bool overlaps(const heddle_until& until, uint64_t address, uint64_t bytes) {
  auto begin = reinterpret_cast<uint64_t>(until.object);
  return address < begin + until.bytes && begin < address + bytes;
}

bool reads(wire::Op op) {
  return wire::has(op, wire::kAccess) &&
         (wire::op_effect(op) == 'r' || wire::has(op, wire::kMayOnlyRead));
}
bool writes(wire::Op op) { return wire::has(op, wire::kAccess) && wire::op_effect(op) == 'w'; }
bool locks(wire::Op op) {
  constexpr uint64_t kMutex = wire::kLocks | wire::kTries;
  constexpr uint64_t kShared = wire::kForReading | wire::kForWriting;
  return (wire::op_traits(op) & (kMutex | kShared)) != 0;
}
bool unlocks(wire::Op op) {
  bool lets_others = wire::has(op, wire::kLetsRead) && wire::has(op, wire::kLetsWrite);
  return wire::has(op, wire::kLetsGo) || lets_others;
}
bool waits(wire::Op op) {
  return op == wire::Op::cond_wait || op == wire::Op::futex_wait || wire::has(op, wire::kForPost) ||
         wire::has(op, wire::kArrives);
}

const wire::ScriptPlace* find_place(const char* text, bool is_line) {
  const wire::ScriptPlaces& known = g_region->places.script;
  for (uint32_t i = 0; i < known.count; ++i) {
    bool same_kind = (known.at[i].is_line != 0) == is_line;
    if (same_kind && strcmp(known.at[i].text, text) == 0) return &known.at[i];
  }
  return nullptr;
}

// The engine is to find out where that is. It then begins again.
[[noreturn]] void end_to_learn(const char* text, bool is_line, uint64_t pc) {
  wire::ScriptPlace& wanted = g_region->wanted;
  if (strlen(text) >= sizeof wanted.text) {
    end_unsupported("the name of a place with more than 119 letters, in a script", pc);
  }
  strcpy(wanted.text, text);
  wanted.is_line = is_line ? 1 : 0;
  g_region->has_wanted.store(1, std::memory_order_relaxed);
  g_end.pc = pc;
  end_run(wire::Ending::redundant);
}

enum class Code : uint8_t { elsewhere, own, inlined };

// How the instruction, or the call that returns to `pc`, lies to the place.
Code code_at(const wire::ScriptPlace& place, uint64_t pc) {
  uint64_t module;
  uint64_t offset;
  if (!module_place(pc - 1, &module, &offset)) return Code::elsewhere;
  const wire::Stretch* code = g_region->places.script.code;
  Code found = Code::elsewhere;
  for (uint32_t i = place.first; i < place.first + place.count; ++i) {
    if (code[i].module != module || offset < code[i].begin || offset >= code[i].end) continue;
    if (code[i].value != wire::kInlined) return Code::own;
    found = Code::inlined;
  }
  return found;
}

// A function that was inlined is entered with the first that happens in it, and left with the first
// that happens elsewhere. Of others the hooks tell: until_wants_call().
bool comes_to(uint32_t entry, uint64_t pc) {
  Until& until = g_until;
  const wire::ScriptPlace* place = until.places[entry];
  if (place == nullptr) return false;
  Code code = code_at(*place, pc);
  if (place->is_line != 0) return code != Code::elsewhere;
  bool was_inside = until.inside[entry];
  until.inside[entry] = code == Code::inlined;
  return until.entries[entry].kind == heddle_until_enters ? code == Code::inlined && !was_inside
                                                          : code == Code::elsewhere && was_inside;
}

// Whether the thread is at what one entry of the condition describes.
bool holds(uint32_t entry, const Thread* thread) {
  const heddle_until& wanted = g_until.entries[entry];
  const Pending& pending = thread->pending;
  bool ended = thread->state == State::ended;
  bool yields = ended || !g_until.only_labels || pending.op == wire::Op::label;
  bool on_it = !ended && overlaps(wanted, pending.object, pending.bytes);
  bool on_second = !ended && pending.second != 0 && overlaps(wanted, pending.second, 1);
  switch (wanted.kind) {
    case heddle_until_any:
    case heddle_until_next:
      return yields;
    case heddle_until_end:
      return ended;
    case heddle_until_blocked:
      return thread->state == State::blocked || scenario_waits_by_yields();
    case heddle_until_label:
      return !ended && pending.op == wire::Op::label &&
             strcmp(reinterpret_cast<const char*>(pending.object), wanted.text) == 0;
    case heddle_until_reads:
      return (on_it && reads(pending.op)) || (on_second && pending.copies);
    case heddle_until_writes:
      return on_it && writes(pending.op);
    case heddle_until_accesses:
      return (on_it && (reads(pending.op) || writes(pending.op))) || (on_second && pending.copies);
    case heddle_until_locks:
      return on_it && locks(pending.op);
    case heddle_until_unlocks:
      return (on_it || on_second) && unlocks(pending.op);
    case heddle_until_waits:
      return on_it && waits(pending.op);
    case heddle_until_test: {
      if (!yields) return false;
      g_active = false;
      g_in_state = true;
      bool answer = wanted.test(wanted.object) != 0;
      g_in_state = false;
      g_active = true;
      return answer;
    }
    case heddle_until_enters:
    case heddle_until_returns_from:
    case heddle_until_at:
      if (g_until.reached != kNone) return g_until.reached == entry;
      return !ended && comes_to(entry, pending.pc);
    default:
      return false;
  }
}

void watch_nothing() {
  g_plain_accesses &= static_cast<uint8_t>(~kWatchedAccesses);
  g_watches_calls = false;
}

}  // namespace

void until_forget() { watch_nothing(); }

void until_begin(const heddle_until* entries, uint32_t count, uint64_t pc) {
  if (count > kMostEntries) end_unsupported("a transfer with more than 64 conditions", pc);
  memcpy(g_until.entries, entries, count * sizeof *entries);
  g_until.count = count;
  g_until.reached = kNone;
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t kind = entries[i].kind;
    bool names_place = kind >= heddle_until_enters && kind <= heddle_until_at;
    g_until.places[i] = nullptr;
    g_until.inside[i] = false;
    g_until.frames[i] = 0;
    if (names_place) {
      bool is_line = kind == heddle_until_at;
      g_until.places[i] = find_place(entries[i].text, is_line);
      if (g_until.places[i] == nullptr) end_to_learn(entries[i].text, is_line, pc);
      g_watches_calls = true;
    }
    if (names_place || (kind >= heddle_until_reads && kind <= heddle_until_accesses)) {
      g_plain_accesses |= kWatchedAccesses;
    }
  }
}

void until_only_labels(bool on) { g_until.only_labels = on; }

bool until_is_open() {
  for (uint32_t i = 0; i < g_until.count; ++i) {
    uint32_t kind = g_until.entries[i].kind;
    if (kind == heddle_until_any || kind == heddle_until_test) return true;
  }
  return false;
}

const heddle_until* until_of_one() { return g_until.count == 1 ? &g_until.entries[0] : nullptr; }

namespace {

// Whether the whole condition holds, if entry i of it holds where `holds_at(i)`.
template <class HoldsAt>
bool is_met(HoldsAt holds_at) {
  bool values[kMostEntries] = {};
  uint32_t depth = 0;
  for (uint32_t i = 0; i < g_until.count; ++i) {
    const heddle_until& entry = g_until.entries[i];
    if (entry.kind == heddle_until_both || entry.kind == heddle_until_either) {
      bool second = values[--depth];
      bool first = values[depth - 1];
      values[depth - 1] = entry.kind == heddle_until_both ? first && second : first || second;
    } else {
      values[depth++] = holds_at(i);
    }
  }
  return values[0];
}

}  // namespace

bool until_is_met(const Thread* thread) {
  return is_met([&](uint32_t entry) { return holds(entry, thread); });
}

bool until_is_met_for_good(const Thread* thread) {
  return is_met([&](uint32_t entry) {
    uint32_t kind = g_until.entries[entry].kind;
    return (kind == heddle_until_end && thread->state == State::ended) ||
           (kind == heddle_until_blocked && thread->state == State::blocked);
  });
}

bool until_has_reached_place() { return g_until.reached != kNone; }
void until_looked_at() { g_until.reached = kNone; }

bool until_wants_access(uint64_t address, uint64_t bytes, bool write, uint64_t pc) {
  if (!scenario_has_chosen(g_run.current)) return false;
  for (uint32_t i = 0; i < g_until.count; ++i) {
    const heddle_until& entry = g_until.entries[i];
    if (comes_to(i, pc)) {
      g_until.reached = i;
      return true;
    }
    bool wanted = entry.kind == heddle_until_accesses ||
                  entry.kind == (write ? heddle_until_writes : heddle_until_reads);
    if (wanted && overlaps(entry, address, bytes)) return true;
  }
  return false;
}

namespace {

// Whether the instruction before `pc` calls a function at the place, by its address.
bool is_behind_call_of(const wire::ScriptPlace& place, uint64_t pc) {
  constexpr uint64_t kLength = 5;  // e8, and how far it is from behind the instruction
  if (code_at(place, pc - kLength + 1) == Code::own) return false;  // a call of its own
  const auto* call = reinterpret_cast<const uint8_t*>(pc - kLength);
  if (call[0] != 0xe8) return false;
  int32_t distance;
  memcpy(&distance, call + 1, sizeof distance);
  return code_at(place, pc + static_cast<uint64_t>(int64_t{distance}) + 1) == Code::own;
}

// Whether the hook, called as below, is that of a place which the entry names. A function may leave
// its hook to return for it: then the call comes from elsewhere, and its frame is gone. Of one that
// was entered before the transfer there is no frame either, but the call that it returns behind.
bool is_called_at(uint32_t entry, uint64_t pc, uint64_t return_address, uint64_t sp) {
  const wire::ScriptPlace& place = *g_until.places[entry];
  uint64_t& frame = g_until.frames[entry];
  bool enters = return_address != 0;
  bool is_own = code_at(place, pc) == Code::own;
  switch (g_until.entries[entry].kind) {
    case heddle_until_enters:
      return enters && is_own;
    case heddle_until_returns_from: {
      bool leaves =
          !enters && (is_own || (frame != 0 ? sp >= frame : is_behind_call_of(place, pc)));
      if (leaves) frame = 0;
      if (enters && is_own && frame == 0) frame = sp;
      return leaves;
    }
    default:
      // What a line calls is done on it.
      return enters && (code_at(place, pc) != Code::elsewhere ||
                        code_at(place, return_address) != Code::elsewhere);
  }
}

}  // namespace

const char* until_wants_call(uint64_t pc, uint64_t return_address, uint64_t sp) {
  if (!scenario_has_chosen(g_run.current)) return nullptr;
  for (uint32_t i = 0; i < g_until.count; ++i) {
    if (g_until.places[i] == nullptr || !is_called_at(i, pc, return_address, sp)) continue;
    g_until.reached = i;
    return g_until.entries[i].text;
  }
  return nullptr;
}

}  // namespace heddle::runtime
