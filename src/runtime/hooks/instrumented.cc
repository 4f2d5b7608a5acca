// See instrumented.h.
#include "runtime/hooks/instrumented.h"

#include "runtime/isolate/modules.h"
#include "runtime/runtime.h"

namespace heddle::runtime {

namespace {

Extent g_modules[wire::kMaxModules];
uint32_t g_module_count;

struct Sought {
  uint64_t pc;
  Extent found;
};

int find_module(dl_phdr_info* info, size_t, void* argument) {
  auto* sought = static_cast<Sought*>(argument);
  sought->found = extent_of(info);
  return sought->pc >= sought->found.begin && sought->pc < sought->found.end ? 1 : 0;
}

}  // namespace

void note_instrumented(uint64_t pc) {
  if (is_instrumented(pc) || g_module_count == wire::kMaxModules) return;
  Sought sought{pc, {}};
  if (dl_iterate_phdr(find_module, &sought) != 0) g_modules[g_module_count++] = sought.found;
}

bool is_instrumented(uint64_t pc) {
  for (uint32_t i = 0; i < g_module_count; ++i) {
    if (pc - g_modules[i].begin < g_modules[i].end - g_modules[i].begin) return true;
  }
  return false;
}

}  // namespace heddle::runtime
