// The part of DebugInfo that tells where the code of each function is.
#include <dwarf.h>

#include "symbols/debug_info.h"
#include "symbols/dwarf_entry.h"

namespace heddle::symbols {

void DebugInfo::for_each_function(const VisitCode& visit) {
  for (Unit& unit : units_) {
    for_each_code_below(unit.tree, 0, [&](Dwarf_Die& die) { visit_code_of(die, visit); });
  }
}

void DebugInfo::visit_code_of(Dwarf_Die die, const VisitCode& visit) {
  bool has_linkage_name = false;
  if (dwarf_tag(&die) == DW_TAG_subprogram) {
    std::string name;
    for_each_range(&die, [&](uint64_t begin, uint64_t end) {
      if (name.empty()) name = entry_whole_name(&die, &has_linkage_name);
      visit(name, {begin, end});
    });
    return;
  }
  Dwarf_Attribute link;
  Dwarf_Die inlined;
  if (dwarf_tag(&die) != DW_TAG_inlined_subroutine ||
      dwarf_attr(&die, DW_AT_abstract_origin, &link) == nullptr ||
      dwarf_formref_die(&link, &inlined) == nullptr) {
    return;
  }
  auto [entry, is_new] = inlined_names_.try_emplace(dwarf_dieoffset(&inlined));
  if (is_new) entry->second = entry_whole_name(&inlined, &has_linkage_name);
  const std::string& name = entry->second;
  for_each_range(&die, [&](uint64_t begin, uint64_t end) { visit(name, {begin, end, true}); });
}

// What was inlined belongs to the line of its call, too.
void DebugInfo::visit_lines_of_calls(Unit& unit, const VisitLine& visit) {
  for_each_code_below(unit.tree, 0, [&](Dwarf_Die& die) {
    if (dwarf_tag(&die) != DW_TAG_inlined_subroutine) return;
    auto line = static_cast<int>(entry_number(&die, DW_AT_call_line).value_or(0));
    std::string file = entry_file(&unit.tree, &die, DW_AT_call_file);
    if (line == 0 || file.empty()) return;
    auto column = static_cast<int>(entry_number(&die, DW_AT_call_column).value_or(0));
    for_each_range(&die, [&](uint64_t begin, uint64_t end) {
      visit(file, line, {begin, end, false, column});
    });
  });
}

void DebugInfo::for_each_line(const VisitLine& visit) {
  for (Unit& unit : units_) {
    visit_lines_of_calls(unit, visit);
    Dwarf_Lines* lines = nullptr;
    size_t count = 0;
    if (dwarf_getsrclines(&unit.skeleton, &lines, &count) != 0) continue;
    for (size_t i = 0; i + 1 < count; ++i) {
      Dwarf_Line* row = dwarf_onesrcline(lines, i);
      Dwarf_Addr begin = 0;
      Dwarf_Addr end = 0;
      int number = 0;
      bool ends = false;
      const char* file = dwarf_linesrc(row, nullptr, nullptr);
      if (file == nullptr || dwarf_lineno(row, &number) != 0 || number == 0) continue;
      if (dwarf_lineendsequence(row, &ends) != 0 || ends || dwarf_lineaddr(row, &begin) != 0) {
        continue;
      }
      if (dwarf_lineaddr(dwarf_onesrcline(lines, i + 1), &end) != 0 || end <= begin) continue;
      int column = 0;
      if (dwarf_linecol(row, &column) != 0) column = 0;
      visit(file, number, {begin, end, false, column});
    }
  }
}

}  // namespace heddle::symbols
