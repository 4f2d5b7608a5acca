// The file of a program or shared library: its symbols and its debug information, each read at the
// first question. Files stay open for the life of the process, since many findings ask the same
// ones. Not for several threads.
#pragma once

#include <elfutils/libdw.h>
#include <libelf.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "symbols/debug_info.h"
#include "symbols/place.h"
#include "symbols/symbol_table.h"

namespace heddle::symbols {

class ModuleFile {
 public:
  // Null if there is no such ELF file, or if its build id is another than the one given: then it
  // was rebuilt since the program ran, and its lines would mislead. An empty build id is not
  // compared.
  static std::shared_ptr<ModuleFile> open(const std::string& path,
                                          const std::vector<uint8_t>& build_id);

  ~ModuleFile();
  ModuleFile(const ModuleFile&) = delete;
  ModuleFile& operator=(const ModuleFile&) = delete;

  // The instruction at an address of the file, innermost inlined call first; never empty.
  const CallStack& places(uint64_t address);
  std::string variable(uint64_t address, Aim aim);
  // Whether the name of the variable says which it is: it is of no class, function or namespace
  // with a name.
  bool is_at_top(uint64_t address) const;
  // See DebugInfo::local_variable; empty if there is none.
  std::string local_variable(uint64_t pc, uint64_t sp, uint64_t cfa, uint64_t address, Aim aim);

  // Calls visit(name, stretch), with addresses of the file, for each stretch of code of a function,
  // also where it was inlined; and for each global variable and, by its type, each member in it.
  // Names are demangled, whole.
  using Stretch = DebugInfo::Stretch;
  using Visit = DebugInfo::VisitCode;
  void for_each_function(const Visit& visit);
  // … of those that have a symbol, without a look at the debug information, which takes its time.
  void for_each_function_symbol(const Visit& visit);
  void for_each_variable(const Visit& visit);
  // … visit(file, line, stretch), for the code of each line of the source.
  void for_each_line(const DebugInfo::VisitLine& visit);

 private:
  ModuleFile() = default;
  bool load(const std::string& path);
  CallStack find_places(uint64_t address);
  DebugInfo* debug_info();

  int fd_ = -1;
  Elf* elf_ = nullptr;
  Dwarf* dwarf_ = nullptr;
  std::string name_;
  bool system_ = false;
  std::vector<uint8_t> build_id_;
  std::unique_ptr<SymbolTable> symbols_;
  std::unique_ptr<DebugInfo> debug_info_;
  bool debug_info_read_ = false;
  std::unordered_map<uint64_t, CallStack> places_;
};

}  // namespace heddle::symbols
