// Operations on time, descriptors, files, the environment and chance; and on the search itself.
#include <fcntl.h>
#include <heddle/heddle.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#include <chrono>
#include <cstring>

#include "interpreter_operations.h"
#include "interpreter_program.h"

namespace fuzz {

namespace {

struct Pipe {
  int ends[2] = {-1, -1};
};
Pipe g_pipes[kObjects];  // made before other threads look
int g_file = -1;
const char* const kNames[] = {"FUZZ_A", "FUZZ_B", "FUZZ_C"};
const char* const kValues[] = {"0", "1", "2", "3"};

}  // namespace

FUZZ_OPERATION int64_t monotonic_us() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1'000'000 + now.tv_nsec / 1000;
}

FUZZ_OPERATION int64_t steady_us() {
  auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::microseconds>(now).count();
}

FUZZ_OPERATION void sleep_us(int64_t us) { usleep(static_cast<unsigned>(us)); }

FUZZ_OPERATION void pipe_make(int i) {
  if (pipe(g_pipes[i].ends) != 0) abort();
}

FUZZ_OPERATION void pipe_write(int i, int64_t byte) {
  const char c = static_cast<char>(byte);
  if (write(g_pipes[i].ends[1], &c, 1) < 0) return;  // it was closed
}

FUZZ_OPERATION int64_t pipe_read(int i) {
  char c = 0;
  return read(g_pipes[i].ends[0], &c, 1) == 1 ? c : -1;
}

FUZZ_OPERATION int64_t pipe_poll(int i) {
  pollfd descriptor{g_pipes[i].ends[0], POLLIN, 0};
  return poll(&descriptor, 1, 0) == 1 && (descriptor.revents & POLLIN) != 0 ? 1 : 0;
}

FUZZ_OPERATION void pipe_hangup(int i) { close(g_pipes[i].ends[1]); }

FUZZ_OPERATION int open_null() { return open("/dev/null", O_RDONLY); }
FUZZ_OPERATION void close_descriptor(int fd) { close(fd); }

FUZZ_OPERATION void file_make() {
  char name[] = "heddle-fuzz-XXXXXX";  // in the working directory, where files cost little
  g_file = mkstemp(name);
  if (g_file < 0) abort();
  unlink(name);
}

FUZZ_OPERATION void file_put(int64_t offset, int64_t byte) {
  const char c = static_cast<char>(byte);
  if (pwrite(g_file, &c, 1, offset) != 1) return;  // there is none
}

FUZZ_OPERATION int64_t file_get(int64_t offset) {
  char c = 0;
  return pread(g_file, &c, 1, offset) == 1 ? c : -1;
}

FUZZ_OPERATION void environment_set(int i, int64_t value) {
  setenv(kNames[i], kValues[value & 3], 1);
}

FUZZ_OPERATION int64_t environment_get(int i) {
  const char* value = getenv(kNames[i]);
  return value == nullptr ? -1 : value[0] - '0';
}

FUZZ_OPERATION int64_t random_number() { return rand() & 3; }

FUZZ_OPERATION int64_t choose(int64_t n) { return heddle::choose(static_cast<unsigned>(n)); }
FUZZ_OPERATION void assume(bool condition) { heddle::assume(condition); }
FUZZ_OPERATION void check_assertion(bool condition) { HEDDLE_ASSERT(condition); }

}  // namespace fuzz
