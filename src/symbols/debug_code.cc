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
          visit(name, begin, end);
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
        for_each_range(&child,
                       [&](uint64_t begin, uint64_t end) { visit(entry->second, begin, end); });
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

}  // namespace heddle::symbols
