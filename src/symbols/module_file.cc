#include "symbols/module_file.h"

#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <tuple>

#include "base/descriptors.h"
#include "symbols/readable_name.h"
#include "symbols/symbols.h"

namespace heddle::symbols {
namespace {

// What tells a rebuilt file from the one that was read before.
using Identity = std::tuple<std::string, dev_t, ino_t, off_t, time_t, long>;

// Without a source file to tell, its name must say whether a function is the system's, or a test
// framework's.
bool is_system_function(const std::string& name) {
  for (const char* framework : {"testing::", "Catch::", "doctest::"}) {
    if (name.starts_with(framework)) return true;
  }
  return name.starts_with("std::") || name.starts_with("__gnu_cxx::") || name == "_start()" ||
         name == "_init()" || name == "_fini()";
}

// In C a dot begins what the compiler has added: "take.cold", "count.0".
std::string source_name(const std::string& symbol) {
  return symbol.starts_with("_Z") ? demangle(symbol) : symbol.substr(0, symbol.find('.', 1));
}

}  // namespace

std::shared_ptr<ModuleFile> ModuleFile::open(const std::string& path,
                                             const std::vector<uint8_t>& build_id) {
  static std::map<Identity, std::shared_ptr<ModuleFile>> files;
  struct stat status;
  if (path.empty() || stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return nullptr;
  Identity identity{path,           status.st_dev,         status.st_ino,
                    status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
  auto [entry, is_new] = files.try_emplace(identity);
  if (is_new) {
    std::shared_ptr<ModuleFile> file(new ModuleFile);
    if (file->load(path)) entry->second = std::move(file);
  }
  std::shared_ptr<ModuleFile> file = entry->second;
  if (file && !build_id.empty() && build_id != file->build_id_) return nullptr;
  return file;
}

bool ModuleFile::load(const std::string& path) {
  elf_version(EV_CURRENT);
  fd_ = out_of_the_way(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (fd_ < 0) return false;
  elf_ = elf_begin(fd_, ELF_C_READ_MMAP, nullptr);
  if (elf_ == nullptr || elf_kind(elf_) != ELF_K_ELF) return false;
  const void* id = nullptr;
  ssize_t size = dwelf_elf_gnu_build_id(elf_, &id);
  if (size > 0) {
    const uint8_t* bytes = static_cast<const uint8_t*>(id);
    build_id_.assign(bytes, bytes + size);
  }
  name_ = file_name(path);
  system_ = is_system_module(path);
  symbols_ = std::make_unique<SymbolTable>(elf_);
  return true;
}

ModuleFile::~ModuleFile() {
  debug_info_.reset();
  if (dwarf_ != nullptr) dwarf_end(dwarf_);
  if (elf_ != nullptr) elf_end(elf_);
  if (fd_ >= 0) close(fd_);
}

DebugInfo* ModuleFile::debug_info() {
  if (!debug_info_read_) {
    debug_info_read_ = true;
    dwarf_ = dwarf_begin_elf(elf_, DWARF_C_READ, nullptr);
    if (dwarf_ != nullptr) debug_info_ = std::make_unique<DebugInfo>(dwarf_);
  }
  return debug_info_.get();
}

const CallStack& ModuleFile::places(uint64_t address) {
  auto [entry, is_new] = places_.try_emplace(address);
  if (is_new) entry->second = find_places(address);
  return entry->second;
}

CallStack ModuleFile::find_places(uint64_t address) {
  CallStack stack;
  std::string outer_name;
  if (DebugInfo* info = debug_info()) {
    for (DebugInfo::Line& line : info->lines(address, &outer_name)) {
      std::string file =
          line.file.empty() ? "" : std::filesystem::path(line.file).lexically_normal();
      stack.push_back(
          {std::move(line.function), std::move(file), line.line, name_, address, false});
      stack.back().column = line.column;
    }
  }
  if (stack.empty()) stack.push_back({"", "", 0, name_, address, false});
  if (stack.back().function.empty()) {
    const SymbolTable::Symbol* symbol = symbols_->function_at(address);
    stack.back().function = symbol != nullptr ? readable_function(symbol->name) : outer_name;
  }
  for (Place& place : stack) {
    place.system = system_ || (place.file.empty() ? is_system_function(place.function)
                                                  : is_system_file(place.file));
  }
  return stack;
}

void ModuleFile::for_each_function_symbol(const Visit& visit) {
  for (const SymbolTable::Symbol& symbol : symbols_->functions()) {
    uint64_t end = symbol.address + std::max<uint64_t>(symbol.size, 1);
    visit(source_name(symbol.name), {symbol.address, end});
  }
}

void ModuleFile::for_each_function(const Visit& visit) {
  for_each_function_symbol(visit);
  if (DebugInfo* info = debug_info()) info->for_each_function(visit);
}

void ModuleFile::for_each_variable(const Visit& visit) {
  for (const SymbolTable::Symbol& symbol : symbols_->variables()) {
    visit(source_name(symbol.name), {symbol.address, symbol.address + symbol.size});
  }
  if (system_) return;
  if (DebugInfo* info = debug_info()) info->for_each_part(visit);
}

void ModuleFile::for_each_line(const DebugInfo::VisitLine& visit) {
  DebugInfo* info = system_ ? nullptr : debug_info();
  if (info != nullptr) info->for_each_line(visit);
}

std::string ModuleFile::local_variable(uint64_t pc, uint64_t sp, uint64_t cfa, uint64_t address,
                                       Aim aim) {
  DebugInfo* info = system_ ? nullptr : debug_info();
  return info != nullptr ? info->local_variable(pc, sp, cfa, address, aim) : "";
}

std::string ModuleFile::variable(uint64_t address, Aim aim) {
  const SymbolTable::Symbol* symbol = symbols_->variable_at(address);
  std::string fallback;
  if (symbol != nullptr) {
    fallback = readable_variable(symbol->name);
    if (address != symbol->address) fallback += "+" + std::to_string(address - symbol->address);
  }
  if (system_) return fallback;
  DebugInfo* info = debug_info();
  std::string name = info != nullptr ? info->variable(address, aim) : "";
  return name.empty() ? fallback : name;
}

bool ModuleFile::is_at_top(uint64_t address) const {
  constexpr std::string_view kAnonymous = "(anonymous namespace)::";
  const SymbolTable::Symbol* symbol = symbols_->variable_at(address);
  if (symbol == nullptr) return false;
  std::string name = source_name(symbol->name);
  size_t begin = name.starts_with(kAnonymous) ? kAnonymous.size() : 0;
  // "last.0" is how compilers write that of a function in C.
  return name.find_first_of(":.", begin) == name.npos;
}

}  // namespace heddle::symbols
