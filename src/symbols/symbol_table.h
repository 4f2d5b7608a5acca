// The symbols of an ELF file, by address: .symtab, or .dynsym of a stripped file.
#pragma once

#include <libelf.h>

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::symbols {

class SymbolTable {
 public:
  struct Symbol {
    uint64_t address = 0;
    uint64_t size = 0;  // 0: unknown, it reaches to the next one
    const char* name = nullptr;
    bool global = false;
  };

  // `elf` must outlive this: names point into it.
  explicit SymbolTable(Elf* elf);

  const std::vector<Symbol>& functions() const { return functions_; }
  const std::vector<Symbol>& variables() const { return variables_; }

  // The symbol that contains the address, or null.
  const Symbol* function_at(uint64_t address) const { return find(functions_, address); }
  const Symbol* variable_at(uint64_t address) const { return find(variables_, address); }

 private:
  void read(Elf* elf, Elf_Scn* section);
  static const Symbol* find(const std::vector<Symbol>& symbols, uint64_t address);

  std::vector<Symbol> functions_;  // both by address
  std::vector<Symbol> variables_;
};

}  // namespace heddle::symbols
