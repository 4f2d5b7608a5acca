#include "runtime/decide/guide.h"

#include "base/random.h"
#include "runtime/carrier/slots.h"
#include "runtime/isolate/modules.h"
#include "runtime/record/notes.h"
#include "runtime/record/places.h"
#include "runtime/record/stack.h"

namespace heddle::runtime {

bool g_has_route;
bool g_route_tells_calls;

namespace {

constexpr uint32_t kHints = 3;
constexpr uint32_t kRankBits = 24;  // of a distance, in a rank
constexpr uint32_t kFarthest = (1u << kRankBits) - 1;
constexpr uint32_t kKnownThreads = 4096;

struct Known {
  uint64_t epoch;  // of the execution; another: nothing is known
  uint64_t pc;     // where the thread stands in the program: of its operation, or who called that
  uint32_t level;  // … at which `distance` was found; kNoLevel: none
  uint32_t distance;
};
constexpr uint32_t kNoLevel = ~uint32_t{0};

struct {
  Random random;
  wire::Toward toward;
  uint64_t threads;  // that are preferred: bit i is thread i
  wire::RouteSequence sequence;
  uint32_t length;  // of the sequence
  bool notes;       // ranks are noted
  uint32_t level;   // places that were passed
  uint32_t last;    // the thread that has passed the last of them
  uint64_t epoch;
  Known known[kKnownThreads];
} g_guide;

const wire::Route& route() { return g_region->places.route; }

bool has_next() { return g_guide.level < g_guide.length; }
uint32_t next_place() { return wire::place_in(g_guide.sequence, g_guide.level); }

// Of which places of the route the operation is.
uint32_t places_of(wire::Op op, uint64_t pc) {
  if (pc == 0) return 0;
  uint32_t bits = place_value(pc);
  uint32_t entered = op == wire::Op::label ? bits >> wire::kMaxRoute : 0;
  uint32_t all = (1u << wire::kMaxRoute) - 1;
  return (bits & all) | entered;
}

// Whether the operation, by that thread, passes the next place of the route.
bool passes(uint32_t thread, wire::Op op, uint64_t pc) {
  if (!has_next()) return false;
  uint32_t place = next_place();
  if ((places_of(op, pc) >> place & 1) == 0) return false;
  uint32_t named = route().threads[place];
  if (named != wire::kNoThread) return named == thread;
  bool by_another = g_guide.level > 0 && route().by_another[place] != 0;
  return !by_another || thread != g_guide.last;
}

// Of the rows of wire::Route, the one of an address; null: there is none.
struct Row {
  const uint32_t* words = nullptr;
  explicit operator bool() const { return words != nullptr; }
  uint32_t out() const { return words[1]; }
  uint32_t toward(uint32_t place) const { return words[2 + place]; }
};

Row row_at(uint64_t address) {
  uint64_t module;
  uint64_t offset;
  if (!module_place(address, &module, &offset) || module != 0) return {};
  const uint32_t* rows = wire::distances(g_region);
  uint32_t width = 2 + route().count;
  uint32_t low = 0;
  for (uint32_t high = route().distance_count; low < high;) {
    uint32_t middle = low + (high - low) / 2;
    bool is_before = rows[uint64_t{middle} * width] < offset;
    (is_before ? low : high) = is_before ? middle + 1 : middle;
  }
  if (low == route().distance_count || rows[uint64_t{low} * width] != offset) return {};
  return {rows + uint64_t{low} * width};
}

uint32_t sum(uint32_t a, uint32_t b) { return a > kFarthest || b > kFarthest ? kFarthest : a + b; }
uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }

// A thread that has not begun yet: from the entry of its function. That of std::thread is the third
// virtual function of what it is given, behind the destructors.
Row row_of_begin(const Thread* thread) {
  if (thread->slot == nullptr) return {};
  constexpr uint64_t kRun = 2;
  auto entry = reinterpret_cast<uint64_t>(thread->slot->function);
  if (entry == 0) return {};
  if (Row row = row_at(entry)) return row;
  auto* state = static_cast<const uint64_t* const*>(thread->slot->argument);
  uint64_t module;
  uint64_t offset;
  bool is_state = state != nullptr && in_libstdcxx(entry) &&
                  module_place(reinterpret_cast<uint64_t>(*state), &module, &offset);
  return is_state ? row_at((*state)[kRun]) : Row{};
}

// Where the running thread is about to perform its operation. What a library does for the program
// happens where that calls it: std::thread creates threads in libstdc++.
uint64_t place_in_program() {
  uint64_t pc = g_run.current->pending.pc;
  if (g_run.current->pending.op == wire::Op::end || row_at(pc - 1)) return pc;
  uint64_t caller =
      innermost_frame([](uint64_t frame) { return static_cast<bool>(row_at(frame - 1)); });
  return caller != 0 ? caller : pc;
}

// How far the thread is from the next place, by the way out of the functions that it is in.
uint32_t distance_of(const Thread* thread, uint64_t pc) {
  if (!has_next()) return 0;
  uint32_t place = next_place();
  // Who may not pass it is not near to it; but while the one who may is not there, others create
  // it.
  uint32_t named = route().threads[place];
  bool is_for_another = named != thread->index && named < g_run.thread_count;
  if (is_for_another) return kFarthest;
  if (thread->pending.op == wire::Op::begin) {
    Row row = row_of_begin(thread);
    return row ? least(row.toward(place), kFarthest) : kFarthest;
  }
  const uint64_t* calls;
  uint32_t depth = calls_of(thread, &calls);
  uint32_t nearest = kFarthest;
  uint32_t out = 0;
  for (;; pc = calls[--depth]) {
    // What is not the program's, or was called from elsewhere, is passed through.
    if (Row row = row_at(pc - 1)) {
      nearest = least(nearest, sum(out, row.toward(place)));
      out = sum(out, row.out());
    }
    if (depth == 0 || out >= kFarthest) return nearest;
  }
}

uint32_t known_distance_of(const Thread* thread) {
  if (thread->index >= kKnownThreads) return distance_of(thread, thread->pending.pc);
  Known& known = g_guide.known[thread->index];
  if (known.epoch != g_guide.epoch) {
    known = {g_guide.epoch, thread->pending.pc, kNoLevel, kFarthest};
  }
  if (known.level != g_guide.level) {
    known.level = g_guide.level;
    known.distance = distance_of(thread, known.pc);
  }
  return known.distance;
}

uint32_t nearness_of(const Thread* thread) {
  switch (g_guide.toward) {
    case wire::Toward::distance:
      return known_distance_of(thread);
    case wire::Toward::chance:
      return static_cast<uint32_t>(g_guide.random.below(kFarthest));
    case wire::Toward::threads:
      return thread->index < 64 && (g_guide.threads >> thread->index & 1) != 0 ? 0 : 1;
  }
  return 0;
}

// The lowest goes. In the high bits: how many places will not have been passed.
uint32_t rank_of(const Thread* thread) {
  const Pending& pending = thread->pending;
  uint32_t passed = g_guide.level + (passes(thread->index, pending.op, pending.pc) ? 1 : 0);
  return (wire::kMaxRoute - passed) << kRankBits | least(nearness_of(thread), kFarthest);
}

void begin(const wire::Job& job) {
  HEDDLE_INVARIANT(job.hint_count == kHints);
  g_guide.random = Random(job.seed);
  g_guide.toward = static_cast<wire::Toward>(g_run.hints[0]);
  g_guide.threads = g_run.hints[1];
  g_guide.sequence = g_run.hints[2];
  g_guide.length = job.parameter;
  g_guide.notes = (job.flags & wire::kNoteRanks) != 0;
  g_guide.level = 0;
  g_guide.last = wire::kNoThread;
  ++g_guide.epoch;
  if (g_guide.notes) note(0);
}

uint32_t choose(const ChoicePoint& point) {
  bool is_bound_reached = g_run.preemptions >= g_run.job.bound;
  uint32_t count = is_bound_reached ? point.free_count() : point.count();
  if (count == 1) return 0;
  uint32_t best = 0;
  uint32_t lowest = ~uint32_t{0};
  uint32_t equals = 0;
  uint32_t number = 0;
  point.for_each([&](const Option& option) {
    if (number >= count) return;
    uint32_t rank = rank_of(option.thread);
    if (g_guide.notes) note(uint64_t{g_run.step} << 32 | rank);
    if (rank < lowest) equals = 0;
    if (rank <= lowest) {
      lowest = rank;
      if (g_guide.random.below(++equals) == 0) best = number;
    }
    ++number;
  });
  return best;
}

void stepped(const wire::Step& step) {
  if (step.thread < kKnownThreads && g_guide.toward == wire::Toward::distance) {
    g_guide.known[step.thread] = {g_guide.epoch, place_in_program(), kNoLevel, kFarthest};
  }
  if (!passes(step.thread, step.op, step.pc)) return;
  ++g_guide.level;
  g_guide.last = step.thread;
  if (g_guide.notes) change_note(0, g_guide.level);
}

}  // namespace

void route_begin() {
  g_has_route = route().count != 0;
  g_route_tells_calls = g_has_route && route().tells_calls != 0;
}

RouteCall route_call(uint64_t pc, uint64_t return_address) {
  uint32_t all = (1u << wire::kMaxRoute) - 1;
  // Of a function, and of the line that it begins on; or of a line that calls it.
  uint32_t entered = place_value(pc);
  uint32_t places = (entered >> wire::kMaxRoute) | (entered & all);
  if (places != 0) return {static_cast<uint32_t>(__builtin_ctz(places)), pc};
  places = place_value(return_address) & all;
  if (places != 0) return {static_cast<uint32_t>(__builtin_ctz(places)), return_address};
  return {wire::kMaxRoute, pc};
}

const Decider kGuideDecider{begin, nullptr, choose, stepped, true};

}  // namespace heddle::runtime
