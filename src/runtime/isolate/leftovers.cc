// See leftovers.h.
#include "runtime/isolate/leftovers.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/real.h"
#include "runtime/runtime.h"

extern char** environ;

extern "C" {
__attribute__((visibility("hidden"))) bool heddle_descriptors_noted, heddle_environment_noted;
}

namespace heddle::runtime {

bool g_has_mappings;
bool g_engine_works;

namespace {

// Descriptors from here on are the runtime's own: see serve/output.cc.
constexpr int kDescriptors = 700;
constexpr uint32_t kMaxVariables = 4096;
constexpr uint32_t kMaxMappings = 4096;
constexpr uint64_t kPage = 4096;

struct Mapping {
  uint64_t begin;
  uint64_t bytes;
};

bool g_kept[kDescriptors];
char* g_variables[kMaxVariables + 1];
char** g_environment;  // where the list was
Mapping g_mappings[kMaxMappings];
uint32_t g_mapping_count;
int g_directory = -1;  // a descriptor of it, above those of the program
bool g_directory_noted;

bool is_open(int fd) { return HEDDLE_REAL(syscall)(SYS_fcntl, fd, F_GETFD) >= 0; }

void close_descriptors() {
  fflush(nullptr);  // as the end of a process does; what stays in a buffer would go to another
                    // execution's file
  for (int fd = 3; fd < kDescriptors; ++fd) {
    int last = fd;
    while (last < kDescriptors && !g_kept[last]) ++last;
    if (last > fd) HEDDLE_REAL(syscall)(SYS_close_range, fd, last - 1, 0);
    fd = last;
  }
}

void restore_environment() {
  environ = g_environment;
  for (uint32_t i = 0; (environ[i] = g_variables[i]) != nullptr; ++i) {
  }
}

}  // namespace

void note_directory() { g_directory_noted = true; }

void note_mapping(uint64_t begin, uint64_t bytes) {
  if (g_mapping_count == kMaxMappings) return;
  g_mappings[g_mapping_count++] = {begin, (bytes + kPage - 1) & ~(kPage - 1)};
}

// Of a mapping that is given back in part, the rest stays.
void forget_mappings(uint64_t begin, uint64_t bytes) {
  uint64_t end = begin + ((bytes + kPage - 1) & ~(kPage - 1));
  for (uint32_t i = g_mapping_count; i-- > 0;) {
    Mapping mapping = g_mappings[i];
    uint64_t mapping_end = mapping.begin + mapping.bytes;
    if (begin >= mapping_end || mapping.begin >= end) continue;
    g_mappings[i] = g_mappings[--g_mapping_count];
    if (mapping.begin < begin) note_mapping(mapping.begin, begin - mapping.begin);
    if (end < mapping_end) note_mapping(end, mapping_end - end);
  }
}

void leftovers_begin() {
  int here = static_cast<int>(HEDDLE_REAL(syscall)(SYS_openat, AT_FDCWD, ".", O_PATH | O_CLOEXEC));
  if (here >= 0) {
    g_directory =
        static_cast<int>(HEDDLE_REAL(syscall)(SYS_fcntl, here, F_DUPFD_CLOEXEC, kDescriptors));
    HEDDLE_REAL(syscall)(SYS_close, here);
  }
  for (int fd = 0; fd < kDescriptors; ++fd) g_kept[fd] = is_open(fd);
  g_environment = environ;
  uint32_t count = 0;
  while (environ[count] != nullptr && count < kMaxVariables) ++count;
  memcpy(g_variables, environ, count * sizeof(char*));
  heddle_descriptors_noted = heddle_environment_noted = false;
}

void leftovers_undo() {
  if (g_directory_noted && g_directory >= 0) HEDDLE_REAL(syscall)(SYS_fchdir, g_directory);
  g_directory_noted = false;
  if (heddle_descriptors_noted) close_descriptors();
  if (heddle_environment_noted) restore_environment();
  for (; g_mapping_count > 0; --g_mapping_count) {
    const Mapping& mapping = g_mappings[g_mapping_count - 1];
    HEDDLE_REAL(syscall)(SYS_munmap, mapping.begin, mapping.bytes);
  }
  heddle_descriptors_noted = heddle_environment_noted = false;
}

}  // namespace heddle::runtime
