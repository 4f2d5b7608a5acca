// Small questions to one entry (DIE) of the debug information.
#pragma once

#include <dwarf.h>
#include <elfutils/libdw.h>

#include <cstdint>
#include <optional>
#include <string>

namespace heddle::symbols {

// How deep trees are followed at most. Real ones stay below 100; a damaged file may hold a cycle.
inline constexpr int kMaxDwarfDepth = 200;

std::string entry_name(Dwarf_Die* die);
std::optional<uint64_t> entry_number(Dwarf_Die* die, unsigned attribute);
std::optional<Dwarf_Die> entry_reference(Dwarf_Die* die, unsigned attribute);

// The size in bytes of a type, or of a variable's type; arrays included.
std::optional<uint64_t> type_size(Dwarf_Die* type);

// The type behind const, volatile and typedef.
std::optional<Dwarf_Die> bare_type_of(Dwarf_Die* die);

// The name of the file in an attribute like DW_AT_decl_file; empty if unknown.
std::string entry_file(Dwarf_Die* unit, Dwarf_Die* die, unsigned attribute);

// Names of the namespaces, classes and functions around an entry, and its own:
// "main::{lambda}::operator()".
std::string entry_qualified_name(Dwarf_Die* die);

// "Philosopher::eat()": by the linkage name, or else put together from the entries around it.
// `has_linkage_name` is set to whether there was one.
std::string entry_function_name(Dwarf_Die* die, bool* has_linkage_name);

// The same, but whole: with template arguments, and with parameters if there was a linkage name.
std::string entry_whole_name(Dwarf_Die* die, bool* has_linkage_name);

// Calls visit(begin, end) for each stretch of code of an entry.
template <typename Visit>
void for_each_range(Dwarf_Die* die, Visit visit) {
  Dwarf_Addr base = 0;
  Dwarf_Addr begin = 0;
  Dwarf_Addr end = 0;
  ptrdiff_t offset = 0;
  while ((offset = dwarf_ranges(die, offset, &base, &begin, &end)) > 0) {
    // Functions that the linker dropped are left at address 0.
    if (begin != 0 && begin < end) visit(begin, end);
  }
}

// Calls visit(child) for each child.
template <typename Visit>
void for_each_child(Dwarf_Die* parent, Visit visit) {
  Dwarf_Die child;
  if (dwarf_child(parent, &child) != 0) return;
  do {
    visit(child);
  } while (dwarf_siblingof(&child, &child) == 0);
}

// Calls visit(entry) for the functions below an entry, those that were inlined, and what they are
// in: everything that can hold a function. GCC keeps the body of a lambda inside the type inside
// the function where it is written, although its code lies elsewhere.
template <typename Visit>
void for_each_code_below(Dwarf_Die parent, int depth, const Visit& visit) {
  if (depth > kMaxDwarfDepth) return;
  for_each_child(&parent, [&](Dwarf_Die& child) {
    switch (dwarf_tag(&child)) {
      case DW_TAG_subprogram:
      case DW_TAG_inlined_subroutine:
      case DW_TAG_namespace:
      case DW_TAG_module:
      case DW_TAG_class_type:
      case DW_TAG_structure_type:
      case DW_TAG_union_type:
      case DW_TAG_lexical_block:
      case DW_TAG_try_block:
      case DW_TAG_catch_block:
        visit(child);
        for_each_code_below(child, depth + 1, visit);
        break;
      default:
        break;
    }
  });
}

}  // namespace heddle::symbols
