// See counters.h. Asked for where two accesses race, so in the middle of the program: nothing here
// allocates, or calls libc.
#include "runtime/detect/counters.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "base/hash.h"
#include "base/raw_call.h"
#include "runtime/runtime.h"

namespace heddle::runtime {

namespace {

constexpr char kPrefix[] = "__gcov";

// What is known of an address; direct mapped.
struct Known {
  uint64_t address;
  bool is_counter;
};
constexpr uint64_t kKnown = 1 << 10;
Known g_known[kKnown];

bool has_prefix(const char* name, const char* end) {
  for (const char* c = kPrefix; *c != '\0'; ++c, ++name) {
    if (name >= end || *name != *c) return false;
  }
  return true;
}

// The file in memory, as long as this lives. Everything in it is checked against its size.
class ElfFile {
 public:
  explicit ElfFile(const char* path) {
    long fd = raw_call(SYS_open, raw_argument(path), O_RDONLY | O_CLOEXEC, 0);
    if (fd < 0) return;
    long size = raw_call(SYS_lseek, fd, 0, SEEK_END);
    if (size > 0) {
      long at = raw_call(SYS_mmap, 0, size, PROT_READ, MAP_PRIVATE, fd, 0);
      if (at > 0) {
        bytes_ = reinterpret_cast<const char*>(at);
        size_ = static_cast<uint64_t>(size);
      }
    }
    raw_call(SYS_close, fd, 0, 0);
  }
  ~ElfFile() {
    if (bytes_ != nullptr) raw_call(SYS_munmap, raw_argument(bytes_), static_cast<long>(size_), 0);
  }
  ElfFile(const ElfFile&) = delete;
  ElfFile& operator=(const ElfFile&) = delete;

  // Whether a symbol that begins with kPrefix covers the address, which is that of the file.
  bool names_counter(uint64_t address) const {
    const auto* header = at<Elf64_Ehdr>(0, 1);
    if (header == nullptr || header->e_shentsize != sizeof(Elf64_Shdr)) return false;
    const auto* sections = at<Elf64_Shdr>(header->e_shoff, header->e_shnum);
    for (uint32_t i = 0; sections != nullptr && i < header->e_shnum; ++i) {
      if (sections[i].sh_type != SHT_SYMTAB || sections[i].sh_link >= header->e_shnum) continue;
      if (table_names_counter(sections[i], sections[sections[i].sh_link], address)) return true;
    }
    return false;
  }

 private:
  // Null: they are not in the file.
  template <typename T>
  const T* at(uint64_t offset, uint64_t count) const {
    if (offset > size_ || count > (size_ - offset) / sizeof(T) || offset % alignof(T) != 0)
      return nullptr;
    return reinterpret_cast<const T*>(bytes_ + offset);
  }

  bool table_names_counter(const Elf64_Shdr& table, const Elf64_Shdr& names,
                           uint64_t address) const {
    uint64_t count = table.sh_size / sizeof(Elf64_Sym);
    const auto* symbols = at<Elf64_Sym>(table.sh_offset, count);
    const char* text = at<char>(names.sh_offset, names.sh_size);
    if (symbols == nullptr || text == nullptr) return false;
    for (uint64_t i = 0; i < count; ++i) {
      const Elf64_Sym& symbol = symbols[i];
      if (address - symbol.st_value >= symbol.st_size || symbol.st_name >= names.sh_size) continue;
      if (has_prefix(text + symbol.st_name, text + names.sh_size)) return true;
    }
    return false;
  }

  const char* bytes_ = nullptr;
  uint64_t size_ = 0;
};

bool look_up(uint64_t address) {
  uint32_t count = g_region->module_count.load(std::memory_order_relaxed);
  for (uint32_t i = 0; i < count && i < wire::kMaxModules; ++i) {
    const wire::Module& module = g_region->modules[i];
    if (address < module.begin || address >= module.end) continue;
    return ElfFile(module.path).names_counter(address - module.base);
  }
  return false;
}

}  // namespace

bool is_coverage_counter(uint64_t address) {
  Known& known = g_known[mix(address, 1) % kKnown];
  if (known.address != address) known = {address, look_up(address)};
  return known.is_counter;
}

}  // namespace heddle::runtime
