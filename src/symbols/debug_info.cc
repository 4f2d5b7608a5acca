#include "symbols/debug_info.h"

#include <dwarf.h>

#include "symbols/dwarf_entry.h"

namespace heddle::symbols {
namespace {

// Into `chain`, innermost last: the inlined calls inside `parent` that the address lies in.
void find_inlined(Dwarf_Die parent, uint64_t address, std::vector<Dwarf_Die>* chain, int depth) {
  if (depth > kMaxDwarfDepth) return;
  bool found = false;
  for_each_child(&parent, [&](Dwarf_Die& child) {
    if (found) return;
    int tag = dwarf_tag(&child);
    bool block =
        tag == DW_TAG_lexical_block || tag == DW_TAG_try_block || tag == DW_TAG_catch_block;
    if ((!block && tag != DW_TAG_inlined_subroutine) || dwarf_haspc(&child, address) != 1) return;
    found = true;
    if (!block) chain->push_back(child);
    find_inlined(child, address, chain, depth + 1);
  });
}

}  // namespace

DebugInfo::DebugInfo(Dwarf* dwarf) {
  Dwarf_CU* cu = nullptr;
  Dwarf_Half version = 0;
  uint8_t type = 0;
  Dwarf_Die die;
  Dwarf_Die split;
  while (dwarf_get_units(dwarf, cu, &cu, &version, &type, &die, &split) == 0) {
    if (dwarf_tag(&die) != DW_TAG_compile_unit && dwarf_tag(&die) != DW_TAG_skeleton_unit) continue;
    bool is_split = type == DW_UT_skeleton && dwarf_tag(&split) == DW_TAG_compile_unit;
    size_t index = units_.size();
    units_.push_back({die, is_split ? split : die, {}, false});
    for_each_range(&die, [&](uint64_t begin, uint64_t end) {
      ranges_.push_back({begin, end, index});
    });
  }
}

DebugInfo::Unit* DebugInfo::unit_of(uint64_t address) {
  for (const CodeRange& range : ranges_) {
    if (range.begin <= address && address < range.end) return &units_[range.unit];
  }
  return nullptr;
}

DebugInfo::Line DebugInfo::line_of(Unit& unit, uint64_t address) const {
  Dwarf_Lines* lines = nullptr;
  size_t count = 0;
  if (dwarf_getsrclines(&unit.skeleton, &lines, &count) != 0) return {};
  auto address_of = [&](size_t i) {
    Dwarf_Addr start = ~Dwarf_Addr{0};
    dwarf_lineaddr(dwarf_onesrcline(lines, i), &start);
    return start;
  };
  size_t low = 0;  // rows before it start at or before the address
  for (size_t high = count; low < high;) {
    size_t middle = low + (high - low) / 2;
    if (address_of(middle) <= address) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  // Line 0 marks code that belongs to no line; the nearest one above it says more than nothing.
  constexpr size_t kLookBack = 16;
  for (size_t i = low; i > 0 && low - i < kLookBack; --i) {
    Dwarf_Line* row = dwarf_onesrcline(lines, i - 1);
    bool end_of_sequence = false;
    int number = 0;
    if (dwarf_lineendsequence(row, &end_of_sequence) != 0 || end_of_sequence) return {};
    if (dwarf_lineno(row, &number) != 0) return {};
    const char* file = dwarf_linesrc(row, nullptr, nullptr);
    if (number == 0 || file == nullptr) continue;
    int column = 0;
    if (dwarf_linecol(row, &column) != 0) column = 0;
    return {"", file, number, column};
  }
  return {};
}

void DebugInfo::list_functions(Unit& unit) {
  if (unit.functions_listed) return;
  unit.functions_listed = true;
  for_each_code_below(unit.tree, 0, [&](Dwarf_Die& entry) {
    if (dwarf_tag(&entry) != DW_TAG_subprogram) return;
    for_each_range(&entry, [&](uint64_t begin, uint64_t end) {
      unit.functions.push_back({begin, end, entry});
    });
  });
}

const DebugInfo::Function* DebugInfo::function_at(uint64_t address) {
  Unit* unit = unit_of(address);
  if (unit == nullptr) return nullptr;
  list_functions(*unit);
  const Function* function = nullptr;
  for (const Function& candidate : unit->functions) {
    if (address < candidate.begin || address >= candidate.end) continue;
    if (function == nullptr || candidate.end - candidate.begin < function->end - function->begin) {
      function = &candidate;
    }
  }
  return function;
}

std::vector<DebugInfo::Line> DebugInfo::lines(uint64_t address, std::string* outer_name) {
  outer_name->clear();
  Unit* unit = unit_of(address);
  if (unit == nullptr) return {};
  const Function* function = function_at(address);
  Line current = line_of(*unit, address);
  if (function == nullptr) {
    if (current.line == 0) return {};
    return {current};
  }
  std::vector<Dwarf_Die> chain{function->die};
  find_inlined(function->die, address, &chain, 0);
  std::vector<Line> result;
  bool has_linkage_name = false;
  for (size_t i = chain.size(); i-- > 1;) {
    current.function = entry_function_name(&chain[i], &has_linkage_name);
    result.push_back(current);
    current.file = entry_file(&unit->tree, &chain[i], DW_AT_call_file);
    current.line = static_cast<int>(entry_number(&chain[i], DW_AT_call_line).value_or(0));
    current.column = static_cast<int>(entry_number(&chain[i], DW_AT_call_column).value_or(0));
  }
  std::string name = entry_function_name(&chain[0], &has_linkage_name);
  current.function = has_linkage_name ? name : "";
  *outer_name = name;
  result.push_back(current);
  return result;
}

}  // namespace heddle::symbols
