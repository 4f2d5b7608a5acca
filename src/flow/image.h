// What an ELF file says of its code besides the instructions: its functions, what the linker put
// into tables of addresses, which functions stand in virtual tables.
//
// Nothing here trusts the file: what cannot be read is left out.
#pragma once

#include <libelf.h>

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace heddle::flow {

// Where a call goes: a function of the file, or one of another module.
struct Callee {
  uint64_t address = 0;  // 0: in another module
  bool returns = true;   // known of other modules only: abort() does not
};

class Image {
 public:
  // Opens the file. Throws UserError if it cannot be read, or has no symbols.
  explicit Image(const std::string& path);
  ~Image();
  Image(const Image&) = delete;
  Image& operator=(const Image&) = delete;

  const std::string& build_id() const { return build_id_; }  // hexadecimal; empty if there is none
  // A hash of all that a graph is made of.
  uint64_t content() const;

  // To be called before anything of what follows is asked for. Throws UserError if the code lies
  // where it cannot be handled.
  void read();

  struct Function {
    uint64_t begin;
    uint64_t end;
    std::string name;  // of the linker; that of one, if several begin here
  };
  // By address; none begins where another does, but they may overlap.
  const std::vector<Function>& functions() const { return functions_; }
  const Function* function_that_begins_at(uint64_t address) const;

  // The bytes from an address to the end of its section; empty if there are none in the file.
  std::span<const uint8_t> bytes(uint64_t address) const;
  bool is_code(uint64_t address) const;
  bool is_data(uint64_t address) const;
  // Whether numbers in the code may be addresses: the file is loaded where it says.
  bool is_fixed() const { return fixed_; }

  // The function whose address the word of data at `address` holds.
  std::optional<Callee> word(uint64_t address) const;
  // Whether the linker fills the word, for code that goes through it to one function or variable
  // (.got), and which variable.
  bool is_linked(uint64_t address) const;
  uint64_t linked_variable(uint64_t address) const;  // 0: none
  // Whether this is in the linker's stubs for calls of other modules (.plt and the like), which
  // jump through such words.
  bool is_stub(uint64_t address) const;

  struct Slot {
    size_t number;  // counted from the address that objects point to
    Callee callee;
  };
  struct VirtualTable {
    uint64_t end;
    std::vector<Slot> slots;
  };
  // By the address at which they begin.
  const std::map<uint64_t, VirtualTable>& virtual_tables() const { return virtual_tables_; }
  const VirtualTable* virtual_table_at(uint64_t address) const;

  // Functions whose address stands in data, outside of virtual tables.
  const std::vector<Callee>& in_data() const { return in_data_; }
  // Addresses in data that something in data, or a symbol, refers to.
  const std::vector<uint64_t>& referred() const { return referred_; }

 private:
  struct Section {
    uint64_t begin;
    uint64_t end;
    std::span<const uint8_t> bytes;
    std::string name;
    bool code;
    bool stubs;
  };

  void open();
  void read_sections();
  void find_symbols();
  void read_functions();
  void read_relocations();
  void add_relocation(Elf_Scn* symbols, uint64_t place, uint64_t info, int64_t addend);
  void scan_data();
  void read_virtual_tables();
  void list_functions_in_data();
  const Section* section_at(uint64_t address) const;

  std::string path_;
  int fd_ = -1;
  Elf* elf_ = nullptr;
  bool fixed_ = false;
  std::string build_id_;
  std::span<const uint8_t> symbols_;  // the section, as bytes
  std::vector<Section> sections_;     // by address
  std::vector<Function> functions_;
  std::unordered_map<uint64_t, Callee> words_;
  std::unordered_map<uint64_t, uint64_t> addresses_;  // words of data that hold other addresses
  std::map<uint64_t, VirtualTable> virtual_tables_;
  std::vector<Callee> in_data_;
  std::vector<uint64_t> referred_;
};

}  // namespace heddle::flow
