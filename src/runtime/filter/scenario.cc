#include "runtime/filter/scenario.h"

#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "runtime/ending/ending.h"
#include "runtime/filter/until.h"
#include "runtime/record/names.h"
#include "runtime/record/recurrence.h"
#include "runtime/run.h"

namespace heddle::runtime {

bool g_scripted;

namespace {

constexpr uint32_t kMostThreads = 1024;  // that a transfer names
constexpr uint32_t kMostLabels = 16;     // that a message lists
// Yields in one transfer from which on a thread is taken to wait for others.
constexpr uint32_t kWaitingYields = 2;

enum class Point : uint8_t {
  none,  // the thread goes on
  open,  // it may be here, or further on
  here,
};

struct Script {
  Thread* thread;    // that runs it
  bool transfers;    // it is in a transfer, …
  bool interleaves;  // … of all that are named, until they have ended
  bool any;          // all threads are named
  uint32_t named[kMostThreads];
  uint32_t named_count;
  uint32_t except[kMostThreads];
  uint32_t except_count;
  bool is_open;    // see Point
  uint64_t pc;     // of the transfer
  uint32_t count;  // visits until it is the point
  uint32_t visits;
  uint32_t yields;  // of the thread that goes, before the transfer, …
  uint32_t turn;    // … and in it
  KeptState kept;   // at one of them …
  bool kept_open;   // … of which each could have been its point
  Thread* chosen;   // by this transfer; null: nobody yet
  Point point;
  Thread* last;  // chosen by the transfer before
  uint64_t last_pc;
  uint64_t site;          // the calls that have led to the transfer, as a hash …
  uint64_t last_site;     // … and to the one before
  uint32_t open_step;     // the step at which that one ended at an open point; kNoStep: it did not
  uint32_t open_options;  // where its options end in the region
  uint32_t made;          // transfers that are complete
  const char* labels[kMostLabels];
  uint32_t label_count;
};
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
  const heddle_until* until = until_of_one();
  if (until != nullptr && until->text != nullptr) {
    words->add("\"%s\"", until->text);
  } else {
    words->add("its point");
  }
}

[[noreturn]] void end_with(Words* words) {
  end_infeasible(g_script.pc, "%s, in transfer %u", words->text, g_script.made + 1);
}

[[noreturn]] void end_before_point(const Thread* thread, const char* why) {
  Words words{};
  add_name(&words, thread);
  words.add(" does not come to ");
  add_point(&words);
  words.add(": it %s", why);
  end_with(&words);
}

[[noreturn]] void end_ended_before_point(const Thread* thread) {
  Words words{};
  add_name(&words, thread);
  words.add(" has ended without coming to ");
  add_point(&words);
  const heddle_until* until = until_of_one();
  if (until != nullptr && until->kind == heddle_until_label) {
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
  if (!until_has_reached_place()) note_label(thread);
  script.point = Point::none;
  bool ended = thread->state == State::ended;
  // Where the point is open, the end is one only if there was no other: whoever wants the thread to
  // end says so.
  bool comes_too_late = ended && script.is_open && script.visits != 0;
  bool is_met = !comes_too_late && until_is_met(thread);
  if (is_met && (++script.visits >= script.count || until_is_met_for_good(thread))) {
    bool is_last = ended || thread->pending.op == wire::Op::end;
    script.point = script.is_open && !is_last ? Point::open : Point::here;
  } else if (ended) {
    end_ended_before_point(thread);
  }
  until_looked_at();
}

bool may_go(const Thread* thread) {
  const Script& script = g_script;
  if (!script.transfers) return thread == script.thread;
  if (script.interleaves && script.point != Point::none) return thread == script.thread;
  if (script.chosen == nullptr) return is_named(thread);
  if (thread == script.thread) return script.point != Point::none;
  return thread == script.chosen && script.point != Point::here;
}

// The script has ended a transfer at an open point, and now makes the same one again.
void forget_open_point() {
  Script& script = g_script;
  Run& run = g_run;
  wire::Step& step = run.trace[script.open_step];
  bool is_sealed = script.open_step >= run.sealed_from;
  if (is_sealed) run.seal -= wire::seal_of(step);
  step.options = 1;
  step.free_options = 1;
  if (is_sealed) run.seal += wire::seal_of(step);
  if (!run.wants_options || script.open_options > run.option_count) return;
  uint16_t* options = wire::option_threads(g_region);
  memmove(options + script.open_options - 1, options + script.open_options,
          (run.option_count - script.open_options) * sizeof *options);
  --run.option_count;
  run.option_seal = wire::seal_of_options({options, run.option_count});
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

// All that its threads have done comes before what the script does next. Their order in the sum,
// as that of their creation, may differ among equivalent executions.
void end_interleaving() {
  Script& script = g_script;
  uint64_t sum = 0;
  for (uint32_t i = 0; i < g_run.thread_count; ++i) {
    const Thread* thread = &g_threads[i];
    if (is_named(thread)) sum += mix(thread->last_hash, thread->id);
  }
  script.thread->last_hash = mix(script.thread->last_hash, sum);
  script.interleaves = false;
  script.last_pc = script.pc;
  script.last_site = script.site;
  ++script.made;
}

// By whom a transfer names.
void name_threads(const heddle_transfer& transfer, uint64_t pc) {
  Script& script = g_script;
  if (transfer.thread_count > kMostThreads || transfer.except_count > kMostThreads) {
    end_unsupported("a transfer that names more than 1,024 threads", pc);
  }
  memcpy(script.named, transfer.threads, transfer.thread_count * sizeof script.named[0]);
  memcpy(script.except, transfer.except, transfer.except_count * sizeof script.except[0]);
  script.named_count = transfer.thread_count;
  script.except_count = transfer.except_count;
  script.any = transfer.any != 0;
  script.chosen = nullptr;
  script.point = Point::none;
  script.pc = pc;
}

}  // namespace

void scenario_begin_run() {
  g_scripted = false;
  g_script.made = 0;
  until_forget();
}

void scenario_begin() {
  g_script = {};
  until_only_labels(false);
  g_script.thread = g_run.current;
  g_script.open_step = wire::kNoStep;
  g_run.current->runs_script = true;
  // What they would have done before is something else to the script than what it lets them do.
  g_run.asleep = 0;
  g_scripted = true;
  look_closer();
}

void scenario_end() {
  g_scripted = false;
  g_run.current->runs_script = false;
  g_run.racers = g_run.thread_count;
  for (uint32_t i = 0; i < g_run.living_count; ++i) hold_back(g_run.living[i], kByScript, false);
}

void scenario_transfer(const heddle_transfer& transfer, uint64_t pc, uint64_t site) {
  Script& script = g_script;
  until_begin(transfer.until, transfer.until_count, pc);
  name_threads(transfer, pc);
  script.count = transfer.count;
  script.visits = script.turn = 0;
  script.kept = {};
  script.site = site;
  script.is_open = until_is_open();
  script.transfers = true;
  bool goes_on = script.last != nullptr && is_named(script.last) && is_enabled(script.last);
  if (script.open_step != wire::kNoStep && script.is_open && goes_on && site == script.last_site) {
    forget_open_point();
  }
  script.open_step = wire::kNoStep;
}

void scenario_interleave(const heddle_transfer& scope, uint64_t pc) {
  Script& script = g_script;
  name_threads(scope, pc);
  script.open_step = wire::kNoStep;
  script.site = 0;
  script.transfers = script.interleaves = true;
  // What the script did so far comes before all that they do.
  for (uint32_t i = 0; i < g_run.living_count; ++i) {
    Thread* thread = g_run.living[i];
    if (is_named(thread)) thread->last_hash = mix(thread->last_hash, script.thread->last_hash);
  }
}

Thread* scenario_last() { return g_script.last; }
uint32_t scenario_transfers() { return g_script.made; }
uint64_t scenario_place() { return g_script.last_pc; }

void scenario_arrive() {
  Script& script = g_script;
  if (script.interleaves) script.point = is_any_named_alive() ? Point::none : Point::here;
  if (script.transfers && script.chosen == g_run.current) {
    uint32_t turn = script.chosen->yields - script.yields;
    bool has_yielded = turn != script.turn;
    script.turn = turn;
    look_at_chosen();
    // Where it was before, and could have stopped, the script has gone on in another execution.
    bool goes_on = script.point != Point::here && is_enabled(script.chosen);
    if (has_yielded && goes_on) {
      uint32_t before = script.kept.step;
      bool is_open = script.point == Point::open;
      bool comes_back = comes_back_alone(&script.kept, turn);
      if (script.kept.step != before) script.kept_open = is_open;
      if (comes_back && script.kept_open == is_open) end_before_point(script.chosen, "spins");
    }
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
    if (script.interleaves) script.last = chosen;
    if (script.interleaves || script.chosen != nullptr) return;
    script.chosen = chosen;
    script.yields = chosen->yields;
    // Who has come so far, and by which way, is part of what the script may look at.
    chosen->last_hash = mix(chosen->last_hash, script.thread->last_hash);
    return;
  }
  run.racers = 0;
  if (!script.transfers) return;
  script.transfers = false;
  if (script.interleaves) return end_interleaving();
  script.thread->last_hash = mix(script.thread->last_hash, script.chosen->last_hash);
  script.last = script.chosen;
  script.last_pc = script.pc;
  script.last_site = script.site;
  if (script.point == Point::open && latest_step().options > 1) {
    script.open_step = run.step - 1;
    script.open_options = run.option_count;
  }
  script.chosen = nullptr;
  ++script.made;
  until_forget();
}

void scenario_is_stuck() {
  const Script& script = g_script;
  if (!script.transfers) {
    end_with_failure(wire::Failure::misuse, g_run.current->pending.pc, 0,
                     "waits in the script itself (%s), and nobody goes while it does: transfer to "
                     "the thread that it waits for first",
                     wire::op_name(g_run.current->pending.op));
  }
  if (script.chosen == nullptr) {
    if (!is_any_named_alive() || can_others_go()) end_with_nobody_to_go();
  } else if (can_others_go()) {
    end_before_point(script.chosen, "is blocked");
  }
}

void scenario_exits() {
  Words words{};
  if (g_run.current == g_script.thread) {
    words.add("the script");
  } else {
    add_name(&words, g_run.current);
  }
  words.add(" exits the program before the script has ended");
  end_with(&words);
}

Thread* scenario_front() {
  const Script& script = g_script;
  if (!script.transfers) return nullptr;
  if (script.point != Point::none) return script.thread;
  if (script.interleaves && g_run.current != script.thread) return nullptr;
  return script.chosen == nullptr ? script.last : nullptr;
}

bool scenario_has_chosen(const Thread* thread) { return thread == g_script.chosen; }
bool scenario_lets_go(const Thread* thread) { return may_go(thread); }
bool scenario_decides(const Thread* chosen) {
  return !g_script.interleaves || chosen == g_script.thread;
}
uint16_t scenario_flags(const Thread* chosen) {
  bool is_interleaved = g_script.interleaves && chosen == g_script.thread;
  return wire::kScripted | (is_interleaved ? wire::kInterleaved : 0);
}
bool scenario_waits_by_yields() { return g_script.turn >= kWaitingYields; }

}  // namespace heddle::runtime
