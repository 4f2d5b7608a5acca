// The part of DebugInfo that names global variables and the parts of them.
#include <dwarf.h>

#include <algorithm>

#include "symbols/debug_info.h"
#include "symbols/dwarf_entry.h"
#include "symbols/type_path.h"

namespace heddle::symbols {
namespace {

// Beyond this many entries the symbol table's names must do: reading them all would take seconds.
constexpr size_t kMaxVariables = 1 << 20;

std::optional<uint64_t> static_address(Dwarf_Die* variable) {
  Dwarf_Attribute location;
  if (dwarf_attr(variable, DW_AT_location, &location) == nullptr) return {};
  Dwarf_Op* ops = nullptr;
  size_t count = 0;
  if (dwarf_getlocation(&location, &ops, &count) != 0 || count != 1) return {};
  if (ops[0].atom == DW_OP_addr) return ops[0].number;
  if (ops[0].atom != DW_OP_addrx && ops[0].atom != DW_OP_GNU_addr_index) return {};
  Dwarf_Attribute indirect;
  Dwarf_Addr address = 0;
  if (dwarf_getlocation_attr(&location, ops, &indirect) != 0) return {};
  if (dwarf_formaddr(&indirect, &address) != 0) return {};
  return address;
}

}  // namespace

void DebugInfo::list_variables() {
  if (variables_listed_) return;
  variables_listed_ = true;
  for (Unit& unit : units_) list_variables_below(unit.tree, 0);
  std::stable_sort(variables_.begin(), variables_.end(),
                   [](const Variable& a, const Variable& b) { return a.begin < b.begin; });
}

void DebugInfo::list_variables_below(Dwarf_Die parent, int depth) {
  if (depth > kMaxDwarfDepth || variables_.size() > kMaxVariables) return;
  for_each_child(&parent, [&](Dwarf_Die& child) {
    switch (dwarf_tag(&child)) {
      case DW_TAG_variable: {
        std::optional<uint64_t> address = static_address(&child);
        if (!address || *address == 0) break;
        std::optional<Dwarf_Die> type = bare_type_of(&child);
        std::optional<uint64_t> size = type ? type_size(&*type) : std::nullopt;
        if (size && *size != 0) variables_.push_back({*address, *address + *size, child});
        break;
      }
      case DW_TAG_namespace:
      case DW_TAG_subprogram:
      case DW_TAG_lexical_block:
      case DW_TAG_inlined_subroutine:
        list_variables_below(child, depth + 1);
        break;
      default:
        break;
    }
  });
}

std::string DebugInfo::variable(uint64_t address, Aim aim) {
  list_variables();
  auto after = std::upper_bound(variables_.begin(), variables_.end(), address,
                                [](uint64_t a, const Variable& v) { return a < v.begin; });
  if (after == variables_.begin()) return "";
  Variable& found = *--after;
  if (address >= found.end) return "";
  std::optional<Dwarf_Die> type = bare_type_of(&found.die);
  return type ? entry_name(&found.die) + path_into(*type, address - found.begin, aim) : "";
}

}  // namespace heddle::symbols
