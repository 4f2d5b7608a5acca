// See instrumented.h.
#include "runtime/hooks/instrumented.h"

#include <string.h>

#include "runtime/isolate/modules.h"
#include "runtime/runtime.h"

namespace heddle::runtime {

namespace {

Extent g_modules[wire::kMaxModules];
uint32_t g_module_count;

bool inside(const Extent& extent, uint64_t pc) {
  return pc - extent.begin < extent.end - extent.begin;
}

void add(const Extent& extent) {
  if (!is_instrumented(extent.begin) && g_module_count != wire::kMaxModules)
    g_modules[g_module_count++] = extent;
}

struct Sought {
  uint64_t pc;
  bool found;
};

int add_module_of(dl_phdr_info* info, size_t, void* argument) {
  auto* sought = static_cast<Sought*>(argument);
  Extent extent = extent_of(info);
  if (!inside(extent, sought->pc)) return 0;
  if (!is_excluded(info->dlpi_name)) {
    add(extent);
    sought->found = true;
  }
  return 1;
}

// The parts of a module's dynamic section that lead to the names it wants from others.
struct Dynamic {
  const ElfW(Sym) * symbols;
  const char* names;
  const uint32_t* hash;  // DT_GNU_HASH: its second word is the first symbol that others may want
};

Dynamic dynamic_of(const dl_phdr_info* info) {
  Dynamic dynamic{};
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    if (info->dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
    const auto* entry =
        reinterpret_cast<const ElfW(Dyn)*>(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
    for (; entry->d_tag != DT_NULL; ++entry) {
      uint64_t value = entry->d_un.d_ptr;
      if (value < info->dlpi_addr) value += info->dlpi_addr;  // where the linker has not done so
      if (entry->d_tag == DT_SYMTAB) dynamic.symbols = reinterpret_cast<const ElfW(Sym)*>(value);
      if (entry->d_tag == DT_STRTAB) dynamic.names = reinterpret_cast<const char*>(value);
      if (entry->d_tag == DT_GNU_HASH) dynamic.hash = reinterpret_cast<const uint32_t*>(value);
    }
  }
  return dynamic;
}

int add_if_it_wants_hooks(dl_phdr_info* info, size_t, void*) {
  if (is_excluded(info->dlpi_name)) return 0;
  Dynamic dynamic = dynamic_of(info);
  if (dynamic.symbols == nullptr || dynamic.names == nullptr || dynamic.hash == nullptr) return 0;
  for (uint32_t i = 1; i < dynamic.hash[1]; ++i) {
    if (strcmp(dynamic.names + dynamic.symbols[i].st_name, "__tsan_init") != 0) continue;
    add(extent_of(info));
    break;
  }
  return 0;
}

}  // namespace

void note_instrumented(uint64_t pc) {
  if (is_instrumented(pc)) return;
  Sought sought{pc, false};
  dl_iterate_phdr(add_module_of, &sought);
  // With -O2 the constructor that calls it is nothing but a jump: the caller is the dynamic linker.
  if (!sought.found) dl_iterate_phdr(add_if_it_wants_hooks, nullptr);
}

bool is_instrumented(uint64_t pc) {
  for (uint32_t i = 0; i < g_module_count; ++i) {
    if (inside(g_modules[i], pc)) return true;
  }
  return false;
}

}  // namespace heddle::runtime
