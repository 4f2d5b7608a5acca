// See random.h. The generators are glibc's, by its functions for several of them.
#include "runtime/intercept/random.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/hash.h"
#include "base/random.h"
#include "runtime/real.h"
#include "runtime/schedule/scheduler.h"
#include "runtime/zeroed.h"

namespace heddle::runtime {

namespace {

// Of one thread. What is not made yet is made by its first use.
struct Generators {
  uint64_t execution;
  uint64_t seed;     // of random: what it was last given, or began with
  uint64_t seed_48;  // of drand48
  bool has_random;
  bool has_48;
  Random entropy;  // in the place of the kernel's
  random_data random;
  char random_state[128];  // as large as libc's own
  drand48_data of_48;
};

// By the thread's index; sparse, only what is touched costs memory.
Zeroed<Generators, wire::kMaxThreads + 1> g_generators;

Generators& generators_of(const Thread* thread) {
  Generators& own = g_generators[thread->index];
  if (own.execution == g_object_epoch) return own;
  own.execution = g_object_epoch;
  own.seed = 1;
  own.seed_48 = 0;
  own.has_random = own.has_48 = false;
  own.entropy = Random(thread->id);
  return own;
}

Generators& generators() {
  no_round();
  note_unvaried(wire::Unvaried::random);
  return generators_of(g_run.current);
}

random_data* random_generator() {
  Generators& own = generators();
  if (!own.has_random) {
    own.has_random = true;
    own.random = {};
    initstate_r(static_cast<unsigned>(own.seed), own.random_state, sizeof own.random_state,
                &own.random);
  }
  return &own.random;
}

// A fresh process has one that was never seeded.
drand48_data* generator_48() {
  Generators& own = generators();
  if (!own.has_48) {
    own.has_48 = true;
    own.of_48 = {};
    if (g_run.current->parent != wire::kNoThread)
      srand48_r(static_cast<long>(own.seed_48), &own.of_48);
  }
  return &own.of_48;
}

long next_random() {
  int32_t number = 0;
  random_r(random_generator(), &number);
  return number;
}

void seed_random(unsigned seed) {
  srandom_r(seed, random_generator());
  generators().seed = seed;
}

uint64_t hash_words(const unsigned short* words, int count) {
  uint64_t hash = 0;
  for (int i = 0; i < count; ++i) hash = mix(hash, words[i]);
  return hash;
}

void fill(void* buffer, size_t length) {
  auto* bytes = static_cast<unsigned char*>(buffer);
  Random& entropy = generators().entropy;
  while (length > 0) {
    uint64_t word = entropy.next();
    size_t part = length < sizeof word ? length : sizeof word;
    memcpy(bytes, &word, part);
    bytes += part;
    length -= part;
  }
}

}  // namespace

void random_inherit(const Thread* parent, const Thread* child) {
  const Generators& from = generators_of(parent);
  Generators& own = generators_of(child);
  own.seed = mix(from.seed, child->id);
  own.seed_48 = mix(from.seed_48, child->id);
}

}  // namespace heddle::runtime

using namespace heddle;
using namespace heddle::runtime;

HEDDLE_EXPORT int rand() noexcept {
  if (!g_active) return HEDDLE_REAL(rand)();
  return static_cast<int>(next_random());
}

HEDDLE_EXPORT long random() noexcept {
  if (!g_active) return HEDDLE_REAL(random)();
  return next_random();
}

HEDDLE_EXPORT void srand(unsigned seed) noexcept {
  if (!g_active) return HEDDLE_REAL(srand)(seed);
  seed_random(seed);
}

HEDDLE_EXPORT void srandom(unsigned seed) noexcept {
  if (!g_active) return HEDDLE_REAL(srandom)(seed);
  seed_random(seed);
}

// Both return the state that was used before; where it begins, glibc keeps what kind it is.
HEDDLE_EXPORT char* initstate(unsigned seed, char* state, size_t size) noexcept {
  if (!g_active) return HEDDLE_REAL(initstate)(seed, state, size);
  random_data* generator = random_generator();
  int32_t* before = generator->state - 1;
  if (initstate_r(seed, state, size, generator) != 0) return nullptr;
  generators().seed = seed;
  return reinterpret_cast<char*>(before);
}

HEDDLE_EXPORT char* setstate(char* state) noexcept {
  if (!g_active) return HEDDLE_REAL(setstate)(state);
  random_data* generator = random_generator();
  int32_t* before = generator->state - 1;
  return setstate_r(state, generator) == 0 ? reinterpret_cast<char*>(before) : nullptr;
}

#define HEDDLE_RANDOM_48(type, name, parameters, arguments, reentrant) \
  HEDDLE_EXPORT type name parameters noexcept {                        \
    if (!g_active) return HEDDLE_REAL(name) arguments;                 \
    type result = 0;                                                   \
    reentrant;                                                         \
    return result;                                                     \
  }

HEDDLE_RANDOM_48(double, drand48, (), (), drand48_r(generator_48(), &result))
HEDDLE_RANDOM_48(long, lrand48, (), (), lrand48_r(generator_48(), &result))
HEDDLE_RANDOM_48(long, mrand48, (), (), mrand48_r(generator_48(), &result))
HEDDLE_RANDOM_48(double, erand48, (unsigned short state[3]), (state),
                 erand48_r(state, generator_48(), &result))
HEDDLE_RANDOM_48(long, nrand48, (unsigned short state[3]), (state),
                 nrand48_r(state, generator_48(), &result))
HEDDLE_RANDOM_48(long, jrand48, (unsigned short state[3]), (state),
                 jrand48_r(state, generator_48(), &result))

HEDDLE_EXPORT void srand48(long seed) noexcept {
  if (!g_active) return HEDDLE_REAL(srand48)(seed);
  srand48_r(seed, generator_48());
  generators().seed_48 = static_cast<uint64_t>(seed);
}

HEDDLE_EXPORT unsigned short* seed48(unsigned short seed[3]) noexcept {
  if (!g_active) return HEDDLE_REAL(seed48)(seed);
  drand48_data* generator = generator_48();
  generators().seed_48 = hash_words(seed, 3);
  seed48_r(seed, generator);
  return generator->__old_x;
}

HEDDLE_EXPORT void lcong48(unsigned short parameters[7]) noexcept {
  if (!g_active) return HEDDLE_REAL(lcong48)(parameters);
  drand48_data* generator = generator_48();
  generators().seed_48 = hash_words(parameters, 7);
  lcong48_r(parameters, generator);
}

HEDDLE_EXPORT ssize_t getrandom(void* buffer, size_t length, unsigned flags) {
  if (!g_active) return HEDDLE_REAL(getrandom)(buffer, length, flags);
  fill(buffer, length);
  return static_cast<ssize_t>(length);
}

HEDDLE_EXPORT int getentropy(void* buffer, size_t length) {
  if (!g_active) return HEDDLE_REAL(getentropy)(buffer, length);
  if (length > 256) {
    errno = EIO;
    return -1;
  }
  fill(buffer, length);
  return 0;
}

HEDDLE_EXPORT uint32_t arc4random() noexcept {
  if (!g_active) return HEDDLE_REAL(arc4random)();
  return static_cast<uint32_t>(generators().entropy.next() >> 32);
}

HEDDLE_EXPORT void arc4random_buf(void* buffer, size_t length) noexcept {
  if (!g_active) return HEDDLE_REAL(arc4random_buf)(buffer, length);
  fill(buffer, length);
}

HEDDLE_EXPORT uint32_t arc4random_uniform(uint32_t bound) noexcept {
  if (!g_active) return HEDDLE_REAL(arc4random_uniform)(bound);
  return bound < 2 ? 0 : static_cast<uint32_t>(generators().entropy.below(bound));
}
