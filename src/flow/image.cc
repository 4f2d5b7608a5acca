#include "flow/image.h"

#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <gelf.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <cstring>

#include "base/descriptors.h"
#include "base/error.h"
#include "base/hash.h"
#include "flow/no_return.h"
#include "symbols/symbol_table.h"

namespace heddle::flow {
namespace {

// Sections of data whose words are no pointers that the program follows.
bool is_for_linker(const std::string& name) {
  for (const char* start : {".eh_frame", ".gcc_except_table", ".note", ".dyn", ".gnu", ".rel",
                            ".interp", ".init_array", ".fini_array", ".preinit_array", ".got"}) {
    if (name.starts_with(start)) return true;
  }
  return false;
}

bool is_virtual_table(const char* name) {
  return std::strncmp(name, "_ZTV", 4) == 0 || std::strncmp(name, "_ZTC", 4) == 0;
}

// Names of variables, and of the function that exceptions are unwound with: the address of that
// stands in data, but only for the unwinder.
bool is_no_callee(std::string_view name) {
  return name.starts_with("_ZT") || name == "__gxx_personality_v0" ||
         name == "__gcc_personality_v0";
}

template <typename Visit>
void for_each_section(Elf* elf, Visit visit) {
  for (Elf_Scn* section = elf_nextscn(elf, nullptr); section != nullptr;
       section = elf_nextscn(elf, section)) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) != nullptr) visit(section, header);
  }
}

}  // namespace

Image::Image(const std::string& path) : path_(path) {
  try {
    open();
    read_sections();
    find_symbols();
  } catch (...) {
    if (elf_ != nullptr) elf_end(elf_);
    if (fd_ >= 0) close(fd_);
    throw;
  }
}

void Image::read() {
  read_functions();
  read_relocations();
  if (fixed_) scan_data();
  read_virtual_tables();
  list_functions_in_data();
  std::sort(referred_.begin(), referred_.end());
  referred_.erase(std::unique(referred_.begin(), referred_.end()), referred_.end());
}

Image::~Image() {
  elf_end(elf_);
  close(fd_);
}

void Image::open() {
  elf_version(EV_CURRENT);
  fd_ = out_of_the_way(::open(path_.c_str(), O_RDONLY | O_CLOEXEC));
  if (fd_ < 0) throw UserError(fmt::format("cannot read {}: {}", path_, std::strerror(errno)));
  elf_ = elf_begin(fd_, ELF_C_READ_MMAP, nullptr);
  GElf_Ehdr header;
  if (elf_ == nullptr || elf_kind(elf_) != ELF_K_ELF || gelf_getehdr(elf_, &header) == nullptr ||
      header.e_machine != EM_X86_64) {
    throw UserError(fmt::format("{} is no program for x86-64; name the program itself", path_));
  }
  fixed_ = header.e_type == ET_EXEC;
  const void* id = nullptr;
  ssize_t size = dwelf_elf_gnu_build_id(elf_, &id);
  for (ssize_t i = 0; i < size; ++i)
    build_id_ += fmt::format("{:02x}", static_cast<const uint8_t*>(id)[i]);
}

void Image::read_sections() {
  size_t names = 0;
  if (elf_getshdrstrndx(elf_, &names) != 0) return;
  for_each_section(elf_, [&](Elf_Scn* scn, const GElf_Shdr& header) {
    if ((header.sh_flags & SHF_ALLOC) == 0 || header.sh_type == SHT_NOBITS) return;
    Elf_Data* data = elf_rawdata(scn, nullptr);
    const char* name = elf_strptr(elf_, names, header.sh_name);
    if (data == nullptr || data->d_buf == nullptr || name == nullptr) return;
    Section section{header.sh_addr,
                    header.sh_addr + data->d_size,
                    {static_cast<const uint8_t*>(data->d_buf), data->d_size},
                    name,
                    (header.sh_flags & SHF_EXECINSTR) != 0,
                    false};
    section.stubs = section.code && section.name.starts_with(".plt");
    sections_.push_back(std::move(section));
  });
  std::sort(sections_.begin(), sections_.end(),
            [](const Section& a, const Section& b) { return a.begin < b.begin; });
}

const Image::Section* Image::section_at(uint64_t address) const {
  auto after = std::upper_bound(sections_.begin(), sections_.end(), address,
                                [](uint64_t a, const Section& s) { return a < s.begin; });
  if (after == sections_.begin()) return nullptr;
  --after;
  return address < after->end ? &*after : nullptr;
}

std::span<const uint8_t> Image::bytes(uint64_t address) const {
  const Section* section = section_at(address);
  return section != nullptr ? section->bytes.subspan(address - section->begin)
                            : std::span<const uint8_t>();
}

bool Image::is_code(uint64_t address) const {
  const Section* section = section_at(address);
  return section != nullptr && section->code;
}

bool Image::is_data(uint64_t address) const {
  const Section* section = section_at(address);
  return section != nullptr && !section->code;
}

bool Image::is_stub(uint64_t address) const {
  const Section* section = section_at(address);
  return section != nullptr && section->stubs;
}

void Image::find_symbols() {
  for_each_section(elf_, [&](Elf_Scn* section, const GElf_Shdr& header) {
    Elf_Data* data = header.sh_type == SHT_SYMTAB ? elf_rawdata(section, nullptr) : nullptr;
    if (data != nullptr && data->d_buf != nullptr)
      symbols_ = {static_cast<const uint8_t*>(data->d_buf), data->d_size};
  });
  if (symbols_.empty()) {
    throw UserError(
        fmt::format("{} has no symbols, so its functions are not known; link it without -s, and do "
                    "not strip it",
                    path_));
  }
}

uint64_t Image::content() const {
  uint64_t hash = XXH3_64bits(symbols_.data(), symbols_.size());
  for (const Section& section : sections_) {
    hash = mix(hash, section.begin);
    hash = mix(hash, XXH3_64bits(section.bytes.data(), section.bytes.size()));
  }
  return hash;
}

void Image::read_functions() {
  symbols::SymbolTable table(elf_);
  for (const auto& symbol : table.functions()) {
    if (!is_code(symbol.address)) continue;
    if (symbol.address >= UINT32_MAX) {
      throw UserError(fmt::format("the code of {} lies above 4 GB, which is not supported", path_));
    }
    uint64_t section_end = symbol.address + bytes(symbol.address).size();
    // One without a size ends where the next begins.
    uint64_t end = symbol.size != 0 ? std::min(symbol.address + symbol.size, section_end) : 0;
    if (!functions_.empty() && functions_.back().begin == symbol.address) {
      functions_.back().end = std::max(functions_.back().end, end);
    } else {
      functions_.push_back({symbol.address, end, symbol.name});
    }
  }
  for (size_t i = 0; i < functions_.size(); ++i) {
    Function& function = functions_[i];
    if (function.end != 0) continue;
    function.end = function.begin + bytes(function.begin).size();
    if (i + 1 < functions_.size()) function.end = std::min(function.end, functions_[i + 1].begin);
  }
  for (const auto& symbol : table.variables()) {
    referred_.push_back(symbol.address);
    if (!is_virtual_table(symbol.name)) continue;
    virtual_tables_[symbol.address].end =
        symbol.address + std::min<uint64_t>(symbol.size, bytes(symbol.address).size());
  }
}

const Image::Function* Image::function_that_begins_at(uint64_t address) const {
  auto found = std::lower_bound(functions_.begin(), functions_.end(), address,
                                [](const Function& f, uint64_t a) { return f.begin < a; });
  return found != functions_.end() && found->begin == address ? &*found : nullptr;
}

void Image::read_relocations() {
  for_each_section(elf_, [&](Elf_Scn* section, const GElf_Shdr& header) {
    if (header.sh_type != SHT_RELA || (header.sh_flags & SHF_ALLOC) == 0 || header.sh_entsize == 0)
      return;
    Elf_Data* data = elf_getdata(section, nullptr);
    if (data == nullptr) return;
    Elf_Scn* symbols = elf_getscn(elf_, header.sh_link);
    for (size_t i = 0; i < data->d_size / header.sh_entsize; ++i) {
      GElf_Rela relocation;
      if (gelf_getrela(data, static_cast<int>(i), &relocation) == nullptr) break;
      add_relocation(symbols, relocation.r_offset, relocation.r_info, relocation.r_addend);
    }
  });
}

void Image::add_relocation(Elf_Scn* symbols, uint64_t place, uint64_t info, int64_t addend) {
  uint64_t type = GELF_R_TYPE(info);
  if (type == R_X86_64_IRELATIVE) words_[place] = Callee{};
  if (type == R_X86_64_RELATIVE) {
    uint64_t address = static_cast<uint64_t>(addend);
    if (function_that_begins_at(address) != nullptr) {
      words_[place] = Callee{address, true};
    } else {
      addresses_[place] = address;
      referred_.push_back(address);
    }
    return;
  }
  if (type != R_X86_64_64 && type != R_X86_64_GLOB_DAT && type != R_X86_64_JUMP_SLOT) return;
  GElf_Shdr header;
  GElf_Sym symbol;
  Elf_Data* data = symbols != nullptr ? elf_getdata(symbols, nullptr) : nullptr;
  if (data == nullptr || gelf_getshdr(symbols, &header) == nullptr ||
      gelf_getsym(data, static_cast<int>(GELF_R_SYM(info)), &symbol) == nullptr) {
    return;
  }
  const char* name = elf_strptr(elf_, header.sh_link, symbol.st_name);
  if (name == nullptr) return;
  uint64_t address = symbol.st_value + static_cast<uint64_t>(addend);
  if (symbol.st_shndx != SHN_UNDEF && function_that_begins_at(address) != nullptr) {
    words_[place] = Callee{address, true};
  } else if (symbol.st_shndx != SHN_UNDEF) {
    addresses_[place] = address;
    referred_.push_back(address);
  } else if (GELF_ST_TYPE(symbol.st_info) != STT_OBJECT && !is_no_callee(name)) {
    words_[place] = Callee{0, returns_to_caller(name)};
  }
}

// A file that is loaded where it says has its pointers without relocations.
void Image::scan_data() {
  for (const Section& section : sections_) {
    if (section.code || is_for_linker(section.name)) continue;
    uint64_t first = (section.begin + 7) & ~uint64_t{7};
    for (uint64_t place = first; place + 8 <= section.end; place += 8) {
      uint64_t value = 0;
      std::memcpy(&value, section.bytes.data() + (place - section.begin), sizeof value);
      if (value == 0 || words_.contains(place)) continue;
      if (function_that_begins_at(value) != nullptr) {
        words_[place] = Callee{value, true};
      } else if (is_data(value)) {
        addresses_[place] = value;
        referred_.push_back(value);
      }
    }
  }
}

std::optional<Callee> Image::word(uint64_t address) const {
  auto found = words_.find(address);
  if (found == words_.end()) return std::nullopt;
  return found->second;
}

bool Image::is_linked(uint64_t address) const {
  const Section* section = section_at(address);
  return section != nullptr && section->name.starts_with(".got");
}

uint64_t Image::linked_variable(uint64_t address) const {
  auto found = addresses_.find(address);
  return found != addresses_.end() && is_linked(address) ? found->second : 0;
}

// A table is: offset to the whole object, type, functions; and so on for further bases. Objects
// point behind the type.
void Image::read_virtual_tables() {
  constexpr uint64_t kWord = 8;
  for (auto& [begin, table] : virtual_tables_) {
    uint64_t first = begin + 2 * kWord;
    for (uint64_t place = first; place + kWord <= table.end; place += kWord) {
      auto callee = word(place);
      if (callee) {
        table.slots.push_back({(place - first) / kWord, *callee});
      } else if (addresses_.contains(place)) {  // the type, of a further base
        first = place + kWord;
      }
    }
  }
}

const Image::VirtualTable* Image::virtual_table_at(uint64_t address) const {
  auto after = virtual_tables_.upper_bound(address);
  if (after == virtual_tables_.begin()) return nullptr;
  --after;
  return address < after->second.end ? &after->second : nullptr;
}

void Image::list_functions_in_data() {
  for (const auto& [place, callee] : words_) {
    const Section* section = section_at(place);
    if (section == nullptr || is_for_linker(section->name)) continue;
    if (virtual_table_at(place) == nullptr) in_data_.push_back(callee);
  }
  auto key = [](const Callee& c) { return c.address * 2 + (c.returns ? 1 : 0); };
  std::sort(in_data_.begin(), in_data_.end(),
            [&](const Callee& a, const Callee& b) { return key(a) < key(b); });
  in_data_.erase(std::unique(in_data_.begin(), in_data_.end(),
                             [&](const Callee& a, const Callee& b) { return key(a) == key(b); }),
                 in_data_.end());
}

}  // namespace heddle::flow
