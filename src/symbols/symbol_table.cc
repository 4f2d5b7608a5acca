#include "symbols/symbol_table.h"

#include <gelf.h>

#include <algorithm>

namespace heddle::symbols {
namespace {

Elf_Scn* section_of_type(Elf* elf, uint32_t type) {
  for (Elf_Scn* section = elf_nextscn(elf, nullptr); section != nullptr;
       section = elf_nextscn(elf, section)) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) != nullptr && header.sh_type == type) return section;
  }
  return nullptr;
}

// For symbols without a size (hand-written assembly): so far they are believed to reach at most.
constexpr uint64_t kUnsizedReach = 4096;

}  // namespace

SymbolTable::SymbolTable(Elf* elf) {
  Elf_Scn* section = section_of_type(elf, SHT_SYMTAB);
  if (section == nullptr) section = section_of_type(elf, SHT_DYNSYM);
  if (section != nullptr) read(elf, section);
  auto by_address = [](const Symbol& a, const Symbol& b) {
    // Of several at one address find() takes the last: a global one, the larger one.
    if (a.address != b.address) return a.address < b.address;
    if (a.size != b.size) return a.size < b.size;
    return !a.global && b.global;
  };
  std::stable_sort(functions_.begin(), functions_.end(), by_address);
  std::stable_sort(variables_.begin(), variables_.end(), by_address);
}

void SymbolTable::read(Elf* elf, Elf_Scn* section) {
  GElf_Shdr header;
  Elf_Data* data = elf_getdata(section, nullptr);
  if (data == nullptr || gelf_getshdr(section, &header) == nullptr || header.sh_entsize == 0)
    return;
  size_t count = data->d_size / header.sh_entsize;
  for (size_t i = 0; i < count; ++i) {
    GElf_Sym symbol;
    if (gelf_getsym(data, static_cast<int>(i), &symbol) == nullptr) break;
    if (symbol.st_shndx == SHN_UNDEF || symbol.st_value == 0) continue;
    const char* name = elf_strptr(elf, header.sh_link, symbol.st_name);
    if (name == nullptr || *name == '\0') continue;
    Symbol entry{symbol.st_value, symbol.st_size, name, GELF_ST_BIND(symbol.st_info) != STB_LOCAL};
    switch (GELF_ST_TYPE(symbol.st_info)) {
      case STT_FUNC:
      case STT_GNU_IFUNC:
        functions_.push_back(entry);
        break;
      case STT_OBJECT:
        // Marks of the linker (__TMC_END__) have no size.
        if (entry.size != 0) variables_.push_back(entry);
        break;
      default:
        break;
    }
  }
}

const SymbolTable::Symbol* SymbolTable::find(const std::vector<Symbol>& symbols, uint64_t address) {
  auto after = std::upper_bound(symbols.begin(), symbols.end(), address,
                                [](uint64_t a, const Symbol& s) { return a < s.address; });
  // Symbols may nest (an alias for a part): look back a little for one that reaches this far.
  for (int i = 0; i < 8 && after != symbols.begin(); ++i) {
    --after;
    uint64_t reach = after->size != 0 ? after->size : kUnsizedReach;
    if (address - after->address < reach) return &*after;
  }
  return nullptr;
}

}  // namespace heddle::symbols
