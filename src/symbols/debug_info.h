// The debug information of one ELF file (DWARF 4 and 5, of GCC and Clang): source lines of code
// addresses, with inlined calls expanded, and names of parts of global variables.
//
// Units are found by their own address ranges, since Clang writes no .debug_aranges. Of each unit
// that is asked for, its functions are listed once. Nothing here trusts the file: what cannot be
// read is left out.
#pragma once

#include <elfutils/libdw.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "symbols/type_path.h"

namespace heddle::symbols {

class DebugInfo {
 public:
  struct Line {
    std::string function;  // readable; empty if unknown
    std::string file;      // absolute where the compiler said so
    int line = 0;
    int column = 0;  // 0: not known
  };

  // `dwarf` must outlive this.
  explicit DebugInfo(Dwarf* dwarf);

  // Innermost first. Empty if the address is in no unit. The last one's function is empty if the
  // debug information has no linkage name for it (the symbol table has a better one) and
  // `outer_name` is its fallback.
  std::vector<Line> lines(uint64_t address, std::string* outer_name);

  // "forks[1].owner", "pool.size+4"; empty if no global variable is there.
  std::string variable(uint64_t address, Aim aim);

  // The same for a local variable of the function that is at `pc`, whose frame reaches from `sp`,
  // the stack pointer in its current call, to `cfa`, that of its caller. All but `pc` are run-time
  // addresses.
  std::string local_variable(uint64_t pc, uint64_t sp, uint64_t cfa, uint64_t address, Aim aim);

  // Calls visit(name, stretch) for each stretch of code of a function, also where it was inlined.
  // Names are whole: see entry_whole_name.
  struct Stretch {
    uint64_t begin;
    uint64_t end;
    bool inlined = false;
    int column = 0;  // in the line of the source; 0: not known
  };
  using VisitCode = std::function<void(const std::string& name, const Stretch& stretch)>;
  void for_each_function(const VisitCode& visit);
  // The same for the members of global variables, by their types: "ns::Port<int>::head_".
  void for_each_part(const VisitCode& visit);
  // … and for the code of each line of the source; the name is that of the file.
  using VisitLine = std::function<void(const std::string& file, int line, const Stretch& stretch)>;
  void for_each_line(const VisitLine& visit);

 private:
  struct Function {
    uint64_t begin;
    uint64_t end;
    Dwarf_Die die;
  };
  struct Unit {
    Dwarf_Die skeleton;  // has the line table
    Dwarf_Die tree;      // has functions and variables; the same, but for -gsplit-dwarf
    std::vector<Function> functions;
    bool functions_listed = false;
  };
  struct CodeRange {
    uint64_t begin;
    uint64_t end;
    size_t unit;
  };
  struct Variable {
    uint64_t begin;
    uint64_t end;
    Dwarf_Die die;
  };

  Unit* unit_of(uint64_t address);
  const Function* function_at(uint64_t address);
  Line line_of(Unit& unit, uint64_t address) const;
  void list_functions(Unit& unit);
  void visit_code_of(Dwarf_Die die, const VisitCode& visit);
  static void visit_lines_of_calls(Unit& unit, const VisitLine& visit);
  void list_variables();
  void list_variables_below(Dwarf_Die parent, int depth);

  std::vector<Unit> units_;
  std::vector<CodeRange> ranges_;
  std::vector<Variable> variables_;  // by address
  bool variables_listed_ = false;
  std::unordered_map<Dwarf_Off, std::string> inlined_names_;  // by the entry that was inlined
};

}  // namespace heddle::symbols
