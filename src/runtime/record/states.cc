// See states.h.
#include "runtime/record/states.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "base/hash.h"
#include "runtime/ending/ending.h"
#include "runtime/own_memory.h"
#include "runtime/run.h"
#include "wire/seal.h"

namespace heddle::runtime {

DeclaredState g_state;
uint32_t g_state_bytes;
uint64_t g_state_seal;
uint64_t g_state_hash;

namespace {

constexpr size_t kContextBytes = 256;
alignas(64) char g_context[kContextBytes];
char g_buffer[wire::kStateBytes];

// Hashes of the states that this process has sent: open addressing, 0 is empty, at most half full.
uint64_t* g_sent;
uint64_t g_sent_room;
uint64_t g_sent_count;
uint64_t g_last_job;

uint64_t hash_bytes(const char* bytes, size_t size) {
  uint64_t hash = mix(size, kMix1);
  for (; size >= 8; bytes += 8, size -= 8) {
    uint64_t word;
    memcpy(&word, bytes, 8);
    hash = mix(hash, word);
  }
  uint64_t rest = 0;
  memcpy(&rest, bytes, size);
  hash = mix(hash, rest);
  return hash != 0 ? hash : 1;
}

// Whether it was not there.
bool insert(uint64_t hash) {
  for (uint64_t i = hash;; ++i) {
    uint64_t& entry = g_sent[i & (g_sent_room - 1)];
    if (entry == hash) return false;
    if (entry != 0) continue;
    entry = hash;
    ++g_sent_count;
    return true;
  }
}

void make_room() {
  if (g_sent_count * 2 < g_sent_room) return;
  uint64_t* old = g_sent;
  uint64_t old_room = g_sent_room;
  g_sent_room = old_room == 0 ? 4096 : old_room * 2;
  g_sent = static_cast<uint64_t*>(own_memory(g_sent_room * sizeof(uint64_t)));
  g_sent_count = 0;
  for (uint64_t i = 0; i < old_room; ++i) {
    if (old[i] != 0) insert(old[i]);
  }
  if (old != nullptr) HEDDLE_REAL(munmap)(old, old_room * sizeof(uint64_t));
}

void send(size_t size) {
  uint64_t length = sizeof(wire::StateRecord) + wire::padded(size);
  if (g_state_bytes + length > wire::kStateArea) {
    end_unsupported("heddle::state: more than 64 MiB of new states in one execution",
                    g_run.current->pending.pc);
  }
  char* out = wire::states(g_region) + g_state_bytes;
  wire::StateRecord record{g_run.step - 1, static_cast<uint32_t>(size)};
  memcpy(out, &record, sizeof record);
  memset(out + length - 8, 0, size != 0 ? 8 : 0);
  memcpy(out + sizeof record, g_buffer, size);
  g_state_seal += wire::seal_of_states(out, length, g_state_bytes);
  g_state_bytes += static_cast<uint32_t>(length);
}

}  // namespace

void declare_state(StateCallback callback, void* context) {
  g_state = {callback, context, context != nullptr, g_run.current->index};
  look_closer();
}

void declare_state_copy(StateCallback callback, const void* context, size_t context_size) {
  HEDDLE_INVARIANT(context_size <= kContextBytes);
  memcpy(g_context, context, context_size);
  declare_state(callback, g_context);
  g_state.refers = context_size != 0;
}

void visit_state_slow() {
  int error = errno;
  g_active = false;
  g_in_state = true;
  size_t size = g_state.callback(g_state.context, g_buffer, sizeof g_buffer);
  g_in_state = false;
  g_active = true;
  errno = error;
  if (size > sizeof g_buffer) {
    char message[128];
    snprintf(message, sizeof message,
             "heddle::state with %zu bytes; %zu are the most: give a hash of them", size,
             sizeof g_buffer);
    end_unsupported(message, reinterpret_cast<uint64_t>(g_state.callback) + 1);
  }
  make_room();
  g_state_hash = hash_bytes(g_buffer, size);
  if (insert(g_state_hash)) send(size);
}

void state_function_returned() {
  if (g_state.refers && g_state.thread == g_run.current->index) states_forget();
}

void states_forget() { g_state = {}; }

void states_begin_run() {
  states_forget();
  g_in_state = false;
  g_state_bytes = 0;
  g_state_seal = 0;
  // A job is sent once more after a worker's death, and may come behind later ones. The state is to
  // be told with the first execution that visits it.
  if (g_run.job.id < g_last_job) states_forget_sent();
  g_last_job = g_run.job.id;
}

void states_forget_sent() {
  if (g_sent_count == 0) return;
  memset(g_sent, 0, g_sent_room * sizeof(uint64_t));
  g_sent_count = 0;
}

}  // namespace heddle::runtime
