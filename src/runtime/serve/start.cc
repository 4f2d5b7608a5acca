// Where control begins: before main, if the environment says so; or when heddle::check calls.
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "runtime/isolate/arena.h"
#include "runtime/isolate/leftovers.h"
#include "runtime/isolate/modules.h"
#include "runtime/real.h"
#include "runtime/serve/worker.h"

extern "C" {
extern char** environ;
// Defined by libheddle-engine.so: a program that has it may call heddle::check.
__attribute__((weak, visibility("default"))) extern const char heddle_engine_present;
}

namespace heddle::runtime {

namespace {

enum class Mode : uint8_t { unknown, native, arena_only, controlled };
Mode g_mode;
Test g_program;

// Takes the variable out of the environment: the program sees what it would see without us.
int take_region_descriptor() {
  const size_t length = sizeof wire::kRegionVariable - 1;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    if (strncmp(*entry, wire::kRegionVariable, length) != 0 || (*entry)[length] != '=') continue;
    int fd = 0;
    for (const char* digit = *entry + length + 1; *digit != '\0'; ++digit)
      fd = fd * 10 + (*digit - '0');
    for (char** next = entry; (*next = next[1]) != nullptr; ++next) {
    }
    return fd;
  }
  return -1;
}

// The same for our own entry in the list of preloaded libraries; those of the user stay.
void take_preload() {
  const size_t length = sizeof wire::kPreloadVariable - 1;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    if (strncmp(*entry, wire::kPreloadVariable, length) != 0) continue;
    char* first = *entry + length;
    char* end = strchr(first, ':');
    char* name = end != nullptr ? end : first + strlen(first);
    while (name > first && name[-1] != '/') --name;
    if (strncmp(name, "libheddle.so", 12) != 0) return;
    if (end != nullptr) {
      memmove(first, end + 1, strlen(end + 1) + 1);
    } else {
      for (char** next = entry; (*next = next[1]) != nullptr; ++next) {
      }
    }
    return;
  }
}

// Heap, stacks and shadow memory lie at fixed places that are far apart: terabytes of addresses, of
// which few become memory.
bool has_address_space() {
  constexpr uint64_t kNeeded = uint64_t{8} << 40;
  void* space = HEDDLE_REAL(mmap)(nullptr, kNeeded, PROT_READ | PROT_WRITE,
                                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (space == MAP_FAILED) return false;
  HEDDLE_REAL(munmap)(space, kNeeded);
  return true;
}

Mode find_mode() {
  if (environ == nullptr) return Mode::unknown;  // libc has not started yet
  int fd = take_region_descriptor();
  if (fd >= 0) {
    g_region = attach(fd);
    close(fd);
    take_preload();
    if (g_region != nullptr) {
      if (!has_address_space()) {
        refuse(
            "it needs more address space than it may have; type `ulimit -v unlimited`, and leave "
            "vm.overcommit_memory at 0 or 1");
      }
      return Mode::controlled;
    }
  }
  return &heddle_engine_present != nullptr ? Mode::arena_only : Mode::native;
}

Mode mode() {
  if (HEDDLE_UNLIKELY(g_mode == Mode::unknown)) {
    static bool finding;  // attach() may allocate
    if (finding) return Mode::native;
    finding = true;
    g_mode = find_mode();
    finding = false;
    modules_begin();
  }
  return g_mode;
}

int controlled_main(int argc, char** argv, char** environment) {
  g_program.argc = argc;
  g_program.argv = argv;
  g_program.environment = environment;
  serve(g_program);
}

__attribute__((constructor(102))) void find_mode_early() { mode(); }

}  // namespace

bool arena_serves() { return mode() >= Mode::arena_only; }

bool before_control() { return g_mode == Mode::controlled && !g_active; }

}  // namespace heddle::runtime

using namespace heddle;
using namespace heddle::runtime;

HEDDLE_EXPORT int __libc_start_main(int (*main)(int, char**, char**), int argc, char** argv,
                                    void (*init)(), void (*fini)(), void (*rtld_fini)(),
                                    void* stack_end) {
  auto start = HEDDLE_REAL(libc_start_main);
  if (mode() == Mode::controlled) {
    g_program.main = main;
    main = controlled_main;
  }
  return start(main, argc, argv, init, fini, rtld_fini, stack_end);
}

// For heddle::check: the calling process, freshly forked, becomes a nursery of the region behind
// `fd`.
HEDDLE_EXPORT void heddle_runtime_serve(int fd, void (*test)(void*), void* argument) {
  g_engine_works = false;
  g_region = attach(fd);
  if (g_region == nullptr) _exit(4);
  close(fd);
  Test called{};
  called.function = test;
  called.argument = argument;
  serve(called);
}

// Around a search of heddle::check.
HEDDLE_EXPORT void heddle_runtime_engine_works(int works) { g_engine_works = works != 0; }
