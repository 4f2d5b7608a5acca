#include "runtime/filter/scenario.h"

#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "runtime/ending/ending.h"
#include "runtime/isolate/modules.h"
#include "runtime/record/names.h"
#include "runtime/run.h"

namespace heddle::runtime {

bool g_scripted;
bool g_watches_calls;

namespace {

constexpr uint32_t kMostThreads = 1024;  // that a transfer names
constexpr uint32_t kMostConditions = 64;
constexpr uint32_t kMostLabels = 16;  // that a message lists
// Turns that a thread gets which the fair scheduler would not give it, since others can go whom the
// script keeps back. One that still has not come to its point then spins.
constexpr uint32_t kTurns = 64;

enum class Point : uint8_t {
  none,  // the thread goes on
  open,  // it may be here, or further on
  here,
};

struct Script {
  Thread* thread;    // that runs it
  bool transfers;    // it is in a transfer
  bool only_labels;  // are yield points
  bool any;          // all threads are named
  uint32_t named[kMostThreads];
  uint32_t named_count;
  uint32_t except[kMostThreads];
  uint32_t except_count;
  heddle_until until[kMostConditions];
  uint32_t until_count;
  bool is_open;    // see Point
  uint64_t pc;     // of the transfer
  uint32_t count;  // visits until it is the point
  uint32_t visits;
  uint32_t turns;  // see kTurns
  Thread* chosen;  // by this transfer; null: nobody yet
  Point point;
  Thread* last;  // chosen by the transfer before
  uint64_t last_pc;
  uint32_t open_step;     // the step at which that one ended at an open point; kNoStep: it did not
  uint32_t open_options;  // where its options end in the region
  uint32_t made;          // transfers that are complete
  const char* labels[kMostLabels];
  uint32_t label_count;
  // Of each entry of the condition that names a place: which it is, and whether the thread was
  // there when it was last looked at.
  const wire::ScriptPlace* places[kMostConditions];
  bool inside[kMostConditions];
  uint64_t frames[kMostConditions];  // of the function that was entered, and not left; 0: none
  uint32_t reached;  // the entry whose place the thread has come to just now; kNone: none
};
constexpr uint32_t kNone = 0xffffffff;
Script g_script;

bool is_enabled(const Thread* thread) {
  return thread->state == State::ready || thread->state == State::late;
}

bool is_among(const uint32_t* threads, uint32_t count, const Thread* thread) {
  for (uint32_t i = 0; i < count; ++i) {
    if (threads[i] == thread->index) return true;
  }
  return false;
}

bool is_named(const Thread* thread) {
  const Script& script = g_script;
  if (thread == script.thread || is_among(script.except, script.except_count, thread)) return false;
  return script.any || is_among(script.named, script.named_count, thread);
}

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
// that happens elsewhere. Of others the hooks tell: scenario_wants_call().
bool comes_to(uint32_t entry, uint64_t pc) {
  Script& script = g_script;
  const wire::ScriptPlace* place = script.places[entry];
  if (place == nullptr) return false;
  Code code = code_at(*place, pc);
  if (place->is_line != 0) return code != Code::elsewhere;
  bool was_inside = script.inside[entry];
  script.inside[entry] = code == Code::inlined;
  return script.until[entry].kind == heddle_until_enters ? code == Code::inlined && !was_inside
                                                         : code == Code::elsewhere && was_inside;
}

// Whether the thread is at what one entry of the condition describes.
bool holds(uint32_t entry, const Thread* thread) {
  const heddle_until& until = g_script.until[entry];
  const Pending& pending = thread->pending;
  bool ended = thread->state == State::ended;
  bool yields = ended || !g_script.only_labels || pending.op == wire::Op::label;
  bool on_it = !ended && overlaps(until, pending.object, pending.bytes);
  bool on_second = !ended && pending.second != 0 && overlaps(until, pending.second, 1);
  switch (until.kind) {
    case heddle_until_any:
    case heddle_until_next:
      return yields;
    case heddle_until_end:
      return ended;
    case heddle_until_blocked:
      // … or yields, and it would be the turn of others: it waits for them.
      return thread->state == State::blocked || (thread->held_by & kByFairness) != 0;
    case heddle_until_label:
      return !ended && pending.op == wire::Op::label &&
             strcmp(reinterpret_cast<const char*>(pending.object), until.text) == 0;
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
      bool answer = until.test(until.object) != 0;
      g_in_state = false;
      g_active = true;
      return answer;
    }
    case heddle_until_enters:
    case heddle_until_returns_from:
    case heddle_until_at:
      if (g_script.reached != kNone) return g_script.reached == entry;
      return !ended && comes_to(entry, pending.pc);
    default:
      return false;
  }
}

// Whether the thread is at what the whole condition describes.
bool is_met(const Thread* thread) {
  bool values[kMostConditions] = {};
  uint32_t depth = 0;
  for (uint32_t i = 0; i < g_script.until_count; ++i) {
    const heddle_until& until = g_script.until[i];
    if (until.kind == heddle_until_both || until.kind == heddle_until_either) {
      bool second = values[--depth];
      bool first = values[depth - 1];
      values[depth - 1] = until.kind == heddle_until_both ? first && second : first || second;
    } else {
      values[depth++] = holds(i, thread);
    }
  }
  return values[0];
}

void note_label(const Thread* thread) {
  Script& script = g_script;
  if (thread->state == State::ended || thread->pending.op != wire::Op::label) return;
  const char* label = reinterpret_cast<const char*>(thread->pending.object);
  for (uint32_t i = 0; i < script.label_count; ++i) {
    if (strcmp(script.labels[i], label) == 0) return;
  }
  if (script.label_count < kMostLabels) script.labels[script.label_count++] = label;
}

struct Words {
  char text[1024];
  size_t length;

  __attribute__((format(printf, 2, 3))) void add(const char* format, ...) {
    if (length >= sizeof text) return;
    va_list arguments;
    va_start(arguments, format);
    int added = vsnprintf(text + length, sizeof text - length, format, arguments);
    va_end(arguments);
    if (added > 0) length += static_cast<size_t>(added);
  }
};

void add_name(Words* words, const Thread* thread) {
  const char* name = name_of_thread(thread);
  if (*name != '\0') {
    words->add("%s", name);
  } else {
    words->add("thread %u", thread->index);
  }
}

// What the transfer waits for: of a simple condition, in words.
void add_point(Words* words) {
  const heddle_until& until = g_script.until[0];
  if (g_script.until_count == 1 && until.text != nullptr) {
    words->add("\"%s\"", until.text);
  } else {
    words->add("its point");
  }
}

[[noreturn]] void end_with(Words* words) {
  end_infeasible(g_script.pc, "%s, in transfer %u", words->text, g_script.made + 1);
}

[[noreturn]] void end_blocked_before_point(const Thread* thread) {
  Words words{};
  add_name(&words, thread);
  words.add(" does not come to ");
  add_point(&words);
  words.add(": it is blocked");
  end_with(&words);
}

[[noreturn]] void end_ended_before_point(const Thread* thread) {
  Words words{};
  add_name(&words, thread);
  words.add(" has ended without coming to ");
  add_point(&words);
  if (g_script.until_count == 1 && g_script.until[0].kind == heddle_until_label) {
    words.add(g_script.label_count != 0 ? "; labels that were reached so far:"
                                        : "; no label was reached so far");
    for (uint32_t i = 0; i < g_script.label_count; ++i) {
      words.add("%s \"%s\"", i == 0 ? "" : ",", g_script.labels[i]);
    }
  }
  end_with(&words);
}

// The thread that was chosen has reached its next operation, or has ended.
void look_at_chosen() {
  Script& script = g_script;
  Thread* thread = script.chosen;
  if (script.reached == kNone) note_label(thread);
  script.point = Point::none;
  bool ended = thread->state == State::ended;
  // Where the point is open, the end is one only if there was no other: whoever wants the thread to
  // end says so.
  bool comes_too_late = ended && script.is_open && script.visits != 0;
  if (!comes_too_late && is_met(thread) && ++script.visits >= script.count) {
    bool is_last = ended || thread->pending.op == wire::Op::end;
    script.point = script.is_open && !is_last ? Point::open : Point::here;
  } else if (ended) {
    end_ended_before_point(thread);
  }
  script.reached = kNone;
}

bool may_go(const Thread* thread) {
  const Script& script = g_script;
  if (!script.transfers) return thread == script.thread;
  if (script.chosen == nullptr) return is_named(thread);
  if (thread == script.thread) return script.point != Point::none;
  return thread == script.chosen && script.point != Point::here;
}

// The script has ended a transfer at an open point, and now makes the same one again.
void forget_open_point() {
  Script& script = g_script;
  Run& run = g_run;
  run.trace[script.open_step].options = 1;
  run.trace[script.open_step].free_options = 1;
  if (!run.wants_options || script.open_options > run.option_count) return;
  uint16_t* options = wire::option_threads(g_region);
  memmove(options + script.open_options - 1, options + script.open_options,
          (run.option_count - script.open_options) * sizeof *options);
  --run.option_count;
}

void watch_nothing() {
  g_plain_accesses &= static_cast<uint8_t>(~kWatchedAccesses);
  g_watches_calls = false;
}

bool can_others_go() {
  for (uint32_t i = 0; i < g_run.living_count; ++i) {
    const Thread* thread = g_run.living[i];
    if (thread != g_script.thread && is_enabled(thread)) return true;
  }
  return false;
}

bool is_any_named_alive() {
  for (uint32_t i = 0; i < g_run.living_count; ++i) {
    if (is_named(g_run.living[i])) return true;
  }
  return false;
}

// Those that the fair scheduler would not let go, go. False: there are none.
bool let_those_behind_go() {
  bool any = false;
  for (uint32_t i = 0; i < g_run.living_count; ++i) {
    Thread* thread = g_run.living[i];
    if (thread->held_by != kByFairness || !may_go(thread)) continue;
    hold_back(thread, kByFairness, false);
    any = true;
  }
  return any;
}

[[noreturn]] void end_with_nobody_to_go() {
  const Script& script = g_script;
  if (!is_any_named_alive()) {
    end_with_wrong_script(script.pc, "transfers to nobody: %s",
                          script.any ? "no thread is left that could go" : "they have ended");
  }
  Words words{};
  words.add("none of the threads can go, all are blocked:");
  const char* comma = " ";
  for (uint32_t i = 0; i < g_run.living_count; ++i) {
    const Thread* thread = g_run.living[i];
    if (!is_named(thread)) continue;
    words.add("%s", comma);
    comma = ", ";
    add_name(&words, thread);
  }
  end_with(&words);
}

}  // namespace

void scenario_begin_run() {
  g_scripted = false;
  g_script.made = 0;
  watch_nothing();
}

void scenario_begin() {
  g_script = {};
  g_script.thread = g_run.current;
  g_script.open_step = wire::kNoStep;
  g_run.current->runs_script = true;
  g_scripted = true;
  g_run.alert_step = 0;
}

void scenario_end() {
  g_scripted = false;
  g_run.current->runs_script = false;
  g_run.racers = g_run.thread_count;
  for (uint32_t i = 0; i < g_run.living_count; ++i) hold_back(g_run.living[i], kByScript, false);
}

void scenario_transfer(const heddle_transfer& transfer, uint64_t pc) {
  Script& script = g_script;
  if (transfer.thread_count > kMostThreads || transfer.except_count > kMostThreads ||
      transfer.until_count > kMostConditions) {
    end_unsupported("a transfer with more than 1,024 threads, or 64 conditions", pc);
  }
  memcpy(script.named, transfer.threads, transfer.thread_count * sizeof script.named[0]);
  memcpy(script.except, transfer.except, transfer.except_count * sizeof script.except[0]);
  memcpy(script.until, transfer.until, transfer.until_count * sizeof script.until[0]);
  script.named_count = transfer.thread_count;
  script.except_count = transfer.except_count;
  script.until_count = transfer.until_count;
  script.any = transfer.any != 0;
  script.count = transfer.count;
  script.visits = script.turns = 0;
  script.chosen = nullptr;
  script.point = Point::none;
  script.pc = pc;
  script.is_open = false;
  script.reached = kNone;
  for (uint32_t i = 0; i < script.until_count; ++i) {
    uint32_t kind = script.until[i].kind;
    script.is_open |= kind == heddle_until_any || kind == heddle_until_test;
    bool names_place = kind >= heddle_until_enters && kind <= heddle_until_at;
    script.places[i] = nullptr;
    script.inside[i] = false;
    script.frames[i] = 0;
    if (names_place) {
      bool is_line = kind == heddle_until_at;
      script.places[i] = find_place(script.until[i].text, is_line);
      if (script.places[i] == nullptr) end_to_learn(script.until[i].text, is_line, pc);
      g_watches_calls = true;
    }
    if (names_place || (kind >= heddle_until_reads && kind <= heddle_until_accesses)) {
      g_plain_accesses |= kWatchedAccesses;
    }
  }
  script.transfers = true;
  bool goes_on = script.last != nullptr && is_named(script.last) && is_enabled(script.last);
  if (script.open_step != wire::kNoStep && script.is_open && goes_on && pc == script.last_pc) {
    forget_open_point();
  }
  script.open_step = wire::kNoStep;
}

Thread* scenario_last() { return g_script.last; }
uint32_t scenario_transfers() { return g_script.made; }
uint64_t scenario_place() { return g_script.last_pc; }
void scenario_only_labels(bool on) { g_script.only_labels = on; }

void scenario_arrive() {
  Script& script = g_script;
  if (script.transfers && script.chosen == g_run.current) {
    look_at_chosen();
  }
  for (uint32_t i = 0; i < g_run.living_count; ++i) {
    Thread* thread = g_run.living[i];
    hold_back(thread, kByScript, is_enabled(thread) && !may_go(thread));
  }
}

void scenario_go(Thread* chosen) {
  Script& script = g_script;
  Run& run = g_run;
  if (chosen != script.thread) {
    run.racers = run.thread_count;
    if (script.chosen != nullptr) return;
    script.chosen = chosen;
    // Who has come so far, and by which way, is part of what the script may look at.
    chosen->last_hash = mix(chosen->last_hash, script.thread->last_hash);
    return;
  }
  run.racers = 0;
  if (!script.transfers) return;
  script.thread->last_hash = mix(script.thread->last_hash, script.chosen->last_hash);
  script.transfers = false;
  script.last = script.chosen;
  script.last_pc = script.pc;
  if (script.point == Point::open && latest_step().options > 1) {
    script.open_step = run.step - 1;
    script.open_options = run.option_count;
  }
  script.chosen = nullptr;
  ++script.made;
  watch_nothing();
}

bool scenario_lets_somebody_go() {
  Script& script = g_script;
  if (!script.transfers) {
    end_with_failure(wire::Failure::misuse, g_run.current->pending.pc, 0,
                     "waits in the script itself (%s), and nobody goes while it does: transfer to "
                     "the thread that it waits for first",
                     wire::op_name(g_run.current->pending.op));
  }
  bool may_turn = script.chosen == nullptr || ++script.turns <= kTurns;
  if (may_turn && let_those_behind_go()) return true;
  if (script.chosen == nullptr) {
    if (is_any_named_alive() && !can_others_go()) return false;
    end_with_nobody_to_go();
  }
  if (script.turns > kTurns && is_enabled(script.chosen)) {
    Words words{};
    add_name(&words, script.chosen);
    words.add(" spins, and does not come to ");
    add_point(&words);
    end_with(&words);
  }
  if (!can_others_go()) return false;
  end_blocked_before_point(script.chosen);
}

Thread* scenario_front() {
  const Script& script = g_script;
  if (!script.transfers) return nullptr;
  if (script.point != Point::none) return script.thread;
  return script.chosen == nullptr ? script.last : nullptr;
}

bool scenario_at_point() { return g_script.transfers && g_script.point != Point::none; }

bool scenario_wants_access(uint64_t address, uint64_t bytes, bool write, uint64_t pc) {
  if (g_run.current != g_script.chosen) return false;
  for (uint32_t i = 0; i < g_script.until_count; ++i) {
    const heddle_until& until = g_script.until[i];
    if (comes_to(i, pc)) {
      g_script.reached = i;
      return true;
    }
    bool wanted = until.kind == heddle_until_accesses ||
                  until.kind == (write ? heddle_until_writes : heddle_until_reads);
    if (wanted && overlaps(until, address, bytes)) return true;
  }
  return false;
}

namespace {

// Whether the hook, called as below, is that of a place which the entry names. A function may leave
// its hook to return for it: then the call comes from elsewhere, and its frame is gone.
bool is_called_at(uint32_t entry, uint64_t pc, uint64_t return_address, uint64_t sp) {
  const wire::ScriptPlace& place = *g_script.places[entry];
  uint64_t& frame = g_script.frames[entry];
  bool enters = return_address != 0;
  bool is_own = code_at(place, pc) == Code::own;
  switch (g_script.until[entry].kind) {
    case heddle_until_enters:
      return enters && is_own;
    case heddle_until_returns_from: {
      bool leaves = !enters && (is_own || (frame != 0 && sp >= frame));
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

const char* scenario_wants_call(uint64_t pc, uint64_t return_address, uint64_t sp) {
  if (g_run.current != g_script.chosen) return nullptr;
  for (uint32_t i = 0; i < g_script.until_count; ++i) {
    if (g_script.places[i] == nullptr || !is_called_at(i, pc, return_address, sp)) continue;
    g_script.reached = i;
    return g_script.until[i].text;
  }
  return nullptr;
}

}  // namespace heddle::runtime
