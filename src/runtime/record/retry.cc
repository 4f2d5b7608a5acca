// See retry.h.
#include "runtime/record/retry.h"

#include <string.h>

#include "base/hash.h"
#include "runtime/before.h"
#include "runtime/carrier/aside.h"
#include "runtime/carrier/local_state.h"
#include "runtime/carrier/slots.h"
#include "runtime/carrier/tls.h"
#include "runtime/record/places.h"
#include "runtime/run.h"

namespace heddle::runtime {

bool g_last_retries;
bool g_rehearses;
bool g_covers_rounds;

namespace {

constexpr uint32_t kThreads = 64;  // those with lower numbers have rounds
constexpr uint32_t kMostReads = 16;
constexpr uint32_t kMostWrites = 16;
constexpr uint32_t kMostAccesses = 32;
constexpr uint64_t kMostBytes = 16;     // of a write
constexpr uint64_t kMostStack = 4096;   // at the beginning of a round
constexpr uint64_t kMostLater = 16384;  // at its end

struct Write {
  uint64_t address;
  uint32_t size;
  unsigned char before[kMostBytes];
  unsigned char after[kMostBytes];
};

struct Writes {
  Write all[kMostWrites];
  uint32_t count;

  bool add(uint64_t address, uint64_t size) {
    if (count == kMostWrites || size > kMostBytes) return false;
    Write& write = all[count++];
    write.address = address;
    write.size = static_cast<uint32_t>(size);
    memcpy(write.before, reinterpret_cast<const void*>(address), size);
    return true;
  }
  // What is there now is kept.
  void look() {
    for (uint32_t i = 0; i < count; ++i) {
      memcpy(all[i].after, reinterpret_cast<const void*>(all[i].address), all[i].size);
    }
  }
  void take_back() {
    for (uint32_t i = count; i-- > 0;) {
      memcpy(reinterpret_cast<void*>(all[i].address), all[i].before, all[i].size);
    }
  }
  void redo() {
    for (uint32_t i = 0; i < count; ++i) {
      memcpy(reinterpret_cast<void*>(all[i].address), all[i].after, all[i].size);
    }
  }
  // Whether that is what is there now.
  bool are_there() const {
    for (uint32_t i = 0; i < count; ++i) {
      const Write& write = all[i];
      if (memcmp(reinterpret_cast<const void*>(write.address), write.after, write.size) != 0) {
        return false;
      }
    }
    return true;
  }
};

// What a thread has beside stack, registers and memory. Its clock is a few steps further; who looks
// at that is told that clocks are not varied.
uint64_t hash_of_rest(const Thread* thread) {
  uint64_t hash = mix(kMix1, thread->children);
  hash = mix(hash, uint64_t{thread->cancel_requested} << 1 | uint64_t{thread->cancel_disabled});
  hash = mix(hash, mix(thread->channels, thread->files));
  hash = mix(hash, mix(reinterpret_cast<uint64_t>(thread->slot->exits),
                       reinterpret_cast<uint64_t>(thread->slot->cleanup)));
  return mix(mix(hash, g_run.outside), tls_hash(thread->slot->fs));
}

// What a round, or a rehearsal, has accessed.
struct Access {
  static constexpr uint32_t kRead = 0;
  static constexpr uint32_t kWrite = 1;
  static constexpr uint32_t kAtomic = 2;

  uint64_t address;
  uint64_t size;
  uint32_t kind;

  bool stands_for(const Access& other) const {
    bool is_as_strong = kind == other.kind || (kind == kWrite && other.kind == kRead);
    return is_as_strong && address == other.address && size >= other.size;
  }
};

struct Accesses {
  Access all[kMostAccesses];
  uint32_t count;

  bool have(const Access& access) const {
    for (uint32_t i = 0; i < count; ++i) {
      if (all[i].stands_for(access)) return true;
    }
    return false;
  }
  bool add(const Access& access) {
    if (have(access)) return true;
    if (count == kMostAccesses) return false;
    all[count++] = access;
    return true;
  }
  bool have_all(const Accesses& others) const {
    for (uint32_t i = 0; i < others.count; ++i) {
      if (!have(others.all[i])) return false;
    }
    return true;
  }
};

struct Round {
  bool open;
  bool failed;  // its compare-exchange: `reads` are its own and those since then
  uint64_t rest;
  void* sp;
  uint64_t bytes;  // of the stack
  uint32_t read_count;
  RetryRead reads[kMostReads];
  Writes writes;  // since it began; without those to its stack
  Accesses accesses;
  alignas(16) char stack[kMostStack];
};
Round g_rounds[kThreads];
uint32_t g_open_from;  // rounds from here on were not open in this execution

struct Rehearsal {
  Round* round;
  void* sp;  // of the thread, when it came to the compare-exchange
  uint64_t bytes;
  LocalState local;
  RetryExchange exchange;
  uint32_t next_read;
  Writes writes;
  Accesses accesses;
  bool same;
  alignas(16) char stack[kMostLater];
};
Rehearsal g_rehearsal;

Round* round_of(const Thread* thread) {
  return thread->index < kThreads ? &g_rounds[thread->index] : nullptr;
}

uint64_t bytes_from(void* sp) { return g_run.current->stack_high - reinterpret_cast<uint64_t>(sp); }

bool is_in_own_stack(uint64_t address) {
  return address >= g_run.current->stack_low && address < g_run.current->stack_high;
}

// Beside the program's stack: nothing of the thread's is touched here.
void keep(void* sp) {
  Round& round = *round_of(g_run.current);
  round.sp = sp;
  round.bytes = bytes_from(sp);
  round.open = round.bytes <= kMostStack;
  if (round.open) memcpy(round.stack, sp, round.bytes);
  go_back_to(sp);
}

void begin_rehearsal(void* sp) {
  Rehearsal& now = g_rehearsal;
  now.sp = sp;
  now.bytes = bytes_from(sp);
  if (now.bytes > kMostLater) go_back_to(sp);
  memcpy(now.stack, sp, now.bytes);
  now.round->writes.look();
  now.round->writes.take_back();
  memcpy(now.round->sp, now.round->stack, now.round->bytes);
  g_rehearses = true;
  go_back_to(now.round->sp);
}

// Everything is as it was before the rehearsal. Whether it was so at its end is known then.
void end_rehearsal(void*) {
  Rehearsal& now = g_rehearsal;
  Writes& round = now.round->writes;
  Writes seen = round;
  seen.look();
  now.writes.look();
  Writes rehearsed = now.writes;
  now.writes.take_back();
  round.redo();
  now.same = now.same && seen.are_there() && rehearsed.are_there();
  memcpy(now.sp, now.stack, now.bytes);
  g_rehearses = false;
  go_back_to(now.sp);
}

[[noreturn]] void leave_rehearsal(bool same) {
  g_rehearsal.same = same;
  go_aside(end_rehearsal);
  __builtin_unreachable();
}

// Whether nothing that the round accessed can race later: see retry.h.
bool leaves_no_race() {
  return !g_covers_rounds || g_rehearsal.accesses.have_all(g_rehearsal.round->accesses);
}

bool is_same(const RetryExchange& a, const RetryExchange& b) {
  return memcmp(&a, &b, sizeof a) == 0;
}

// Whether whatever the thread wrote, or somebody waits for, is still for it alone: see retry.h.
bool may_stop() {
  if (!g_fair || g_run.set_back || g_run.behind_count != 0) return false;
  for (uint32_t i = 0; i < g_run.thread_count; ++i) {
    const Thread& thread = g_threads[i];
    if (thread.yields != 0 || thread.spin.rounds != 0) return false;
  }
  return true;
}

void close_all() {
  for (uint32_t i = 0; i < g_open_from; ++i) g_rounds[i].open = false;
}

}  // namespace

void retries_begin() {
  g_last_retries =
      g_region->config.last_retries != 0 && g_region->config.races != wire::Races::ignore;
  g_covers_rounds = point_attributes(kTellsWithoutOrder) != 0;
}

void retries_begin_run() {
  close_all();
  g_open_from = 0;
  g_rehearses = false;
  if (g_last_retries) g_clears_stack = true;
}

bool retry_load_comes() {
  const Thread* self = g_run.current;
  Round* round = round_of(self);
  if (round == nullptr || round->open) return false;
  round->failed = false;
  round->read_count = 0;
  round->writes.count = 0;
  round->accesses.count = 0;
  round->rest = hash_of_rest(self);
  if (self->index >= g_open_from) g_open_from = self->index + 1;
  go_aside(keep);
  // Here the thread comes twice.
  return *const_cast<volatile bool*>(&g_rehearses);
}

void retry_loaded(const RetryRead& read) {
  Round* round = round_of(g_run.current);
  if (round == nullptr || !round->open) return;
  bool is_known = round->accesses.add({read.object, read.size, Access::kAtomic});
  if (round->read_count == kMostReads || !is_known) {
    round->open = false;
    return;
  }
  round->reads[round->read_count++] = read;
}

RetryRead rehearsed_read(uint64_t object, uint64_t size) {
  Rehearsal& now = g_rehearsal;
  const RetryRead* reads = now.round->reads;
  uint32_t count = now.round->read_count;
  // What the compare-exchange read is what the loop goes on with, or it loads again.
  bool loads_again = reads[0].object != object || (count > 1 && reads[1].object == object);
  if (now.next_read == 0 && loads_again) now.next_read = 1;
  if (now.next_read >= count) leave_rehearsal(false);
  const RetryRead& read = reads[now.next_read++];
  bool is_known = now.accesses.add({object, size, Access::kAtomic});
  if (read.object != object || read.size != size || !is_known) leave_rehearsal(false);
  return read;
}

__attribute__((noinline)) bool retry_exchange_comes(const RetryExchange& exchange) {
  constexpr uint64_t kAll = ~uint64_t{0};
  Thread* self = g_run.current;
  Rehearsal& now = g_rehearsal;
  if (g_rehearses) {
    LocalState local = local_state(self, kAll, true);
    leave_rehearsal(now.next_read == now.round->read_count && is_same(exchange, now.exchange) &&
                    local.hash == now.local.hash && local.depth == now.local.depth &&
                    hash_of_rest(self) == now.round->rest && leaves_no_race());
  }
  Round* round = round_of(self);
  if (round == nullptr || !round->open || !round->failed) return false;
  round->open = false;
  if (!may_stop() || tls_hash(self->slot->fs) == 0) return false;
  LocalState local = local_state(self, kAll, true);
  if (local.hash == 0 || hash_of_rest(self) != round->rest) return false;
  now.round = round;
  now.local = local;
  now.exchange = exchange;
  now.next_read = 0;
  now.writes.count = 0;
  now.accesses.count = 0;
  now.same = false;
  go_aside(begin_rehearsal);
  return now.same;
}

void retry_failed(const void* place, const RetryRead& read) {
  auto written = reinterpret_cast<uint64_t>(place);
  if (place != nullptr && !is_in_own_stack(written)) retry_access(written, read.size, true);
  Round* round = round_of(g_run.current);
  if (round == nullptr || !round->open) return;
  round->failed = true;
  round->reads[0] = read;
  round->read_count = 1;
}

void retry_written(uint64_t address) {
  uint32_t owner;
  uint64_t offset;
  if (!stack_offset(address, &owner, &offset) || owner == g_run.current->index) return;
  if (owner < kThreads) g_rounds[owner].open = false;
}

bool retry_access(uint64_t address, uint64_t size, bool write) {
  constexpr uint64_t kLowest = 65536;
  // What can hardly be an address is left to the program to fault at.
  if (address < kLowest || address >> 47 != 0) {
    retry_interrupted();
    return false;
  }
  Access access{address, size, write ? Access::kWrite : Access::kRead};
  bool is_kept = write && !is_in_own_stack(address);
  if (g_rehearses) {
    Rehearsal& now = g_rehearsal;
    bool is_known = now.accesses.add(access) && (!is_kept || now.writes.add(address, size));
    if (!is_known) leave_rehearsal(false);
    return true;
  }
  if (is_kept) retry_written(address);
  Round* round = round_of(g_run.current);
  if (round == nullptr || !round->open) return false;
  round->open = round->accesses.add(access) && (!is_kept || round->writes.add(address, size));
  return false;
}

void retry_interrupted() {
  if (g_rehearses) leave_rehearsal(false);
  Round* round = round_of(g_run.current);
  if (round != nullptr) round->open = false;
}

void libc_is_called() {
  if (g_active) no_round();
}

}  // namespace heddle::runtime
