// The part of DebugInfo that tells where the code of each function is.
#include <dwarf.h>

#include "symbols/debug_info.h"
#include "symbols/dwarf_entry.h"

namespace heddle::symbols {

void DebugInfo::for_each_function(const VisitCode& visit) {
  for (Unit& unit : units_) visit_code_below(unit.tree, 0, visit);
}

void DebugInfo::visit_code_below(Dwarf_Die parent, int depth, const VisitCode& visit) {
  if (depth > kMaxDwarfDepth) return;
  for_each_child(&parent, [&](Dwarf_Die& child) {
    bool has_linkage_name = false;
    switch (dwarf_tag(&child)) {
      case DW_TAG_subprogram: {
        std::string name;
        for_each_range(&child, [&](uint64_t begin, uint64_t end) {
          if (name.empty()) name = entry_whole_name(&child, &has_linkage_name);
          visit(name, {begin, end});
        });
        break;
      }
      case DW_TAG_inlined_subroutine: {
        Dwarf_Attribute link;
        Dwarf_Die inlined;
        if (dwarf_attr(&child, DW_AT_abstract_origin, &link) == nullptr ||
            dwarf_formref_die(&link, &inlined) == nullptr) {
          break;
        }
        auto [entry, is_new] = inlined_names_.try_emplace(dwarf_dieoffset(&inlined));
        if (is_new) entry->second = entry_whole_name(&inlined, &has_linkage_name);
        for_each_range(&child, [&](uint64_t begin, uint64_t end) {
          visit(entry->second, {begin, end, true});
        });
        break;
      }
      case DW_TAG_namespace:
      case DW_TAG_module:
      case DW_TAG_class_type:
      case DW_TAG_structure_type:
      case DW_TAG_union_type:
      case DW_TAG_lexical_block:
      case DW_TAG_try_block:
      case DW_TAG_catch_block:
        break;
      default:
        return;
    }
    visit_code_below(child, depth + 1, visit);
  });
}

void DebugInfo::for_each_line(const VisitLine& visit) {
  for (Unit& unit : units_) {
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
      visit(file, number, {begin, end});
    }
  }
}

}  // namespace heddle::symbols
