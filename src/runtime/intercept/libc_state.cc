// See libc_state.h. The generators are libc's own, seeded again as a fresh process has them; and
// the kernel's random numbers are replaced by repeatable ones.
#include "runtime/intercept/libc_state.h"

#include <errno.h>
#include <getopt.h>
#include <string.h>

#include "base/random.h"
#include "runtime/real.h"
#include "runtime/runtime.h"

namespace heddle::runtime {

namespace {

bool g_rand_used, g_rand48_used;
Random g_entropy;

void fill(void* buffer, size_t length) {
  auto* bytes = static_cast<unsigned char*>(buffer);
  while (length > 0) {
    uint64_t word = g_entropy.next();
    size_t part = length < sizeof word ? length : sizeof word;
    memcpy(bytes, &word, part);
    bytes += part;
    length -= part;
  }
}

}  // namespace

void libc_state_reset() {
  if (g_rand_used) HEDDLE_REAL(srandom)(1);  // what a program that never calls srand has
  if (g_rand48_used) {
    unsigned short zero[3] = {0, 0, 0};
    HEDDLE_REAL(seed48)(zero);
  }
  g_rand_used = g_rand48_used = false;
  g_entropy = Random();
  if (optind == 1) return;
  // What getopt keeps between its calls: 0 makes it begin anew.
  char name[] = "";
  char* no_arguments[] = {name, nullptr};
  optind = 0;
  getopt(1, no_arguments, "");
  optind = opterr = 1;
  optopt = '?';
  optarg = nullptr;
}

}  // namespace heddle::runtime

using namespace heddle;
using namespace heddle::runtime;

#define HEDDLE_LIBC_RANDOM(type, name, parameters, arguments, flag) \
  HEDDLE_EXPORT type name parameters noexcept {                     \
    if (g_active) flag = true;                                      \
    return HEDDLE_REAL(name) arguments;                             \
  }

HEDDLE_LIBC_RANDOM(int, rand, (), (), g_rand_used)
HEDDLE_LIBC_RANDOM(void, srand, (unsigned seed), (seed), g_rand_used)
HEDDLE_LIBC_RANDOM(long, random, (), (), g_rand_used)
HEDDLE_LIBC_RANDOM(void, srandom, (unsigned seed), (seed), g_rand_used)
HEDDLE_LIBC_RANDOM(double, drand48, (), (), g_rand48_used)
HEDDLE_LIBC_RANDOM(double, erand48, (unsigned short state[3]), (state), g_rand48_used)
HEDDLE_LIBC_RANDOM(long, lrand48, (), (), g_rand48_used)
HEDDLE_LIBC_RANDOM(long, mrand48, (), (), g_rand48_used)

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
