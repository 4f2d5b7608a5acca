// Looks into object files: see plain_object.h.
#include "wrap/plain_object.h"

#include <elf.h>

#include <cstring>
#include <optional>
#include <string_view>

namespace heddle::wrap {
namespace {

// A copy: nothing says that it is aligned in the file.
template <typename T>
std::optional<T> read_at(std::string_view content, uint64_t at) {
  if (at > content.size() || content.size() - at < sizeof(T)) return std::nullopt;
  T value;
  std::memcpy(&value, content.data() + at, sizeof value);
  return value;
}

}  // namespace

bool is_plain_object(const std::string& content) {
  auto header = read_at<Elf64_Ehdr>(content, 0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
      header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_type != ET_REL) {
    return false;
  }
  bool has_code = false;
  for (uint64_t i = 0; i < header->e_shnum; ++i) {
    auto section = read_at<Elf64_Shdr>(content, header->e_shoff + i * sizeof(Elf64_Shdr));
    if (!section) return false;
    if ((section->sh_flags & SHF_EXECINSTR) != 0 && section->sh_size > 0) has_code = true;
    if (section->sh_type != SHT_STRTAB || section->sh_offset > content.size()) continue;
    // Both compilers call this for every file that they instrument.
    constexpr std::string_view kName("\0__tsan_init", 12);
    std::string_view names = std::string_view(content).substr(section->sh_offset, section->sh_size);
    if (names.find(kName) != names.npos) return false;
  }
  return has_code;
}

}  // namespace heddle::wrap
