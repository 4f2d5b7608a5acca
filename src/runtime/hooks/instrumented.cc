// See instrumented.h.
#include "runtime/hooks/instrumented.h"

#include <link.h>

#include "runtime/runtime.h"

namespace heddle::runtime {

namespace {

struct Range {
  uint64_t begin;
  uint64_t end;
};
Range g_modules[wire::kMaxModules];
uint32_t g_module_count;

// Sought by the address that `argument` points to; the range of its module goes there.
int find_module(dl_phdr_info* info, size_t, void* argument) {
  auto* range = static_cast<Range*>(argument);
  uint64_t pc = range->begin;
  Range module{~uint64_t{0}, 0};
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info->dlpi_phdr[i];
    if (header.p_type != PT_LOAD) continue;
    uint64_t begin = info->dlpi_addr + header.p_vaddr;
    if (begin < module.begin) module.begin = begin;
    if (begin + header.p_memsz > module.end) module.end = begin + header.p_memsz;
  }
  if (pc < module.begin || pc >= module.end) return 0;
  *range = module;
  return 1;
}

}  // namespace

void note_instrumented(uint64_t pc) {
  if (is_instrumented(pc) || g_module_count == wire::kMaxModules) return;
  Range range{pc, pc};
  if (dl_iterate_phdr(find_module, &range) != 0) g_modules[g_module_count++] = range;
}

bool is_instrumented(uint64_t pc) {
  for (uint32_t i = 0; i < g_module_count; ++i) {
    if (pc - g_modules[i].begin < g_modules[i].end - g_modules[i].begin) return true;
  }
  return false;
}

}  // namespace heddle::runtime
