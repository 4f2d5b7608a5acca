// See modules.h.
#include "runtime/isolate/modules.h"

#include <elf.h>
#include <link.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/raw_call.h"
#include "runtime/runtime.h"

namespace heddle::runtime {

namespace {

struct Known {
  uint64_t begin;
  uint64_t end;
  uint64_t bias;
  uint64_t name;  // hash of the file's name; 0 for the program, which stays the same when its file
                  // is renamed
};

Known g_modules[wire::kMaxModules];
uint32_t g_module_count;

// Names that were asked for before: executions ask for the same again and again.
struct Name {
  uint64_t address;
  uint64_t name;  // 0: none is known
};
constexpr uint64_t kNames = 256;
Name g_names[kNames];
Known g_runtime, g_libc, g_linker, g_unwinder, g_openmp, g_libstdcxx;

const char* base_name(const char* path) {
  const char* slash = strrchr(path, '/');
  return slash != nullptr ? slash + 1 : path;
}

bool is_libc(const char* path) { return strncmp(base_name(path), "libc.so", 7) == 0; }
bool is_linker(const char* path) { return strncmp(base_name(path), "ld-linux", 8) == 0; }
bool is_heddle(const char* path) { return strncmp(base_name(path), "libheddle", 9) == 0; }

// Of GCC, of Clang, of Intel.
bool is_openmp(const char* path) {
  const char* name = base_name(path);
  return strncmp(name, "libgomp", 7) == 0 || strncmp(name, "libomp", 6) == 0 ||
         strncmp(name, "libiomp", 7) == 0;
}

bool is_libstdcxx(const char* path) { return strncmp(base_name(path), "libstdc++", 9) == 0; }

void read_build_id(const dl_phdr_info* info, wire::Module* module) {
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info->dlpi_phdr[i];
    if (header.p_type != PT_NOTE) continue;
    const char* at = reinterpret_cast<const char*>(info->dlpi_addr + header.p_vaddr);
    const char* end = at + header.p_memsz;
    while (at + sizeof(ElfW(Nhdr)) <= end) {
      const auto* note = reinterpret_cast<const ElfW(Nhdr)*>(at);
      const char* name = at + sizeof *note;
      const char* content = name + ((note->n_namesz + 3) & ~3u);
      if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && memcmp(name, "GNU", 4) == 0) {
        module->build_id_size =
            note->n_descsz < sizeof module->build_id ? note->n_descsz : sizeof module->build_id;
        memcpy(module->build_id, content, module->build_id_size);
        return;
      }
      at = content + ((note->n_descsz + 3) & ~3u);
    }
  }
}

int add_module(dl_phdr_info* info, size_t, void*) {
  Extent extent = extent_of(info);
  Known known{extent.begin, extent.end, info->dlpi_addr, 0};
  char path[256] = "";
  // The engine may be elsewhere.
  uint64_t folder = 0;
  if (info->dlpi_name[0] != '/' && strchr(info->dlpi_name, '/') != nullptr) {
    long length = raw_call(SYS_getcwd, raw_argument(path), sizeof path / 2, 0);
    if (length > 1) {
      folder = static_cast<uint64_t>(length);
      path[folder - 1] = '/';
    }
  }
  strncpy(path + folder, info->dlpi_name, sizeof path - 1 - folder);
  if (path[0] == '\0' && g_module_count == 0) {
    long length =
        raw_call(SYS_readlink, raw_argument("/proc/self/exe"), raw_argument(path), sizeof path - 1);
    path[length > 0 ? length : 0] = '\0';
  }
  known.name = g_module_count == 0 ? 0 : hash_text(base_name(path));
  if (is_libc(path)) g_libc = known;
  if (is_linker(path)) g_linker = known;
  if (strncmp(base_name(path), "libgcc_s.so", 11) == 0) g_unwinder = known;
  if (is_openmp(path)) g_openmp = known;
  if (is_libstdcxx(path)) g_libstdcxx = known;
  if (strncmp(base_name(path), "libheddle.so", 12) == 0) g_runtime = known;
  if (g_module_count == wire::kMaxModules) return 1;
  g_modules[g_module_count] = known;
  if (g_region != nullptr) {
    wire::Module& module = g_region->modules[g_module_count];
    module = {};
    module.base = known.bias;
    module.begin = known.begin;
    module.end = known.end;
    memcpy(module.path, path, sizeof path);
    read_build_id(info, &module);
  }
  ++g_module_count;
  return 0;
}

bool inside(const Known& known, uint64_t address) {
  return address - known.begin < known.end - known.begin;
}

}  // namespace

Extent extent_of(const dl_phdr_info* info) {
  Extent extent{~uint64_t{0}, 0};
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info->dlpi_phdr[i];
    if (header.p_type != PT_LOAD) continue;
    uint64_t begin = info->dlpi_addr + header.p_vaddr;
    if (begin < extent.begin) extent.begin = begin;
    if (begin + header.p_memsz > extent.end) extent.end = begin + header.p_memsz;
  }
  return extent;
}

void modules_begin() {
  g_module_count = 0;
  for (Name& name : g_names) name.name = 0;
  dl_iterate_phdr(add_module, nullptr);
  if (g_region != nullptr) g_region->module_count.store(g_module_count, std::memory_order_release);
}

bool is_excluded(const char* path) {
  return is_libc(path) || is_linker(path) || is_heddle(path) ||
         strncmp(base_name(path), "linux-vdso", 10) == 0;
}

bool in_runtime(uint64_t pc) { return inside(g_runtime, pc); }
bool in_unwinder(uint64_t pc) { return inside(g_unwinder, pc); }
bool in_libstdcxx(uint64_t pc) { return inside(g_libstdcxx, pc); }
bool in_openmp(uint64_t pc) { return inside(g_openmp, pc); }
bool in_libc(uint64_t pc) { return inside(g_libc, pc) || inside(g_linker, pc); }

bool module_place(uint64_t address, uint64_t* module, uint64_t* offset) {
  for (uint32_t i = 0; i < g_module_count; ++i) {
    const Known& known = g_modules[i];
    if (!inside(known, address)) continue;
    *module = known.name;
    *offset = address - known.bias;
    return true;
  }
  return false;
}

bool module_offset(uint64_t address, uint64_t* name) {
  Name& known = g_names[address / 4 % kNames];
  if (known.name == 0 || known.address != address) {
    uint64_t module;
    uint64_t offset;
    if (!module_place(address, &module, &offset)) return false;
    known = {address, mix(module, kMix1) + offset};
  }
  *name = known.name;
  return true;
}

}  // namespace heddle::runtime
