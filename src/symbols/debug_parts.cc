// The part of DebugInfo that knows the members of global variables by their types: Port::head_ is
// wherever a global variable is a Port, or has one in it.
#include <dwarf.h>

#include <algorithm>

#include "symbols/debug_info.h"
#include "symbols/dwarf_entry.h"

namespace heddle::symbols {
namespace {

// Large tables have parts without end: beyond so many, nothing more is looked at.
constexpr size_t kMaxParts = 1 << 18;

class Parts {
 public:
  explicit Parts(const DebugInfo::VisitCode& visit) : visit_(visit) {}

  void below(Dwarf_Die type, uint64_t begin, int depth) {
    if (depth > kMaxDwarfDepth || count_ > kMaxParts) return;
    switch (dwarf_tag(&type)) {
      case DW_TAG_array_type:
        elements(type, begin, depth);
        break;
      case DW_TAG_class_type:
      case DW_TAG_structure_type:
      case DW_TAG_union_type:
        members(type, begin, depth);
        break;
      default:
        break;
    }
  }

 private:
  void elements(Dwarf_Die type, uint64_t begin, int depth) {
    std::optional<Dwarf_Die> element = bare_type_of(&type);
    std::optional<uint64_t> size = element ? type_size(&*element) : std::nullopt;
    std::optional<uint64_t> all = type_size(&type);
    if (!size || !all || *size == 0) return;
    for (uint64_t at = 0; at + *size <= *all && count_ <= kMaxParts; at += *size) {
      ++count_;
      below(*element, begin + at, depth + 1);
    }
  }

  void members(Dwarf_Die type, uint64_t begin, int depth) {
    for_each_child(&type, [&](Dwarf_Die& member) {
      int tag = dwarf_tag(&member);
      if (tag != DW_TAG_member && tag != DW_TAG_inheritance) return;
      if (tag == DW_TAG_member && dwarf_hasattr(&member, DW_AT_external) != 0) return;  // static
      std::optional<Dwarf_Die> member_type = bare_type_of(&member);
      std::optional<uint64_t> size = member_type ? type_size(&*member_type) : std::nullopt;
      if (!size || *size == 0) return;
      ++count_;
      uint64_t start = begin + entry_number(&member, DW_AT_data_member_location).value_or(0);
      std::string name = entry_name(&member);
      if (tag == DW_TAG_member && !name.empty())
        visit_(type_name(&type) + "::" + name, {start, start + *size});
      below(*member_type, start, depth + 1);
    });
  }

  const std::string& type_name(Dwarf_Die* type) {
    auto [entry, is_new] = names_.try_emplace(dwarf_dieoffset(type));
    if (is_new) entry->second = entry_qualified_name(type);
    return entry->second;
  }

  const DebugInfo::VisitCode& visit_;
  size_t count_ = 0;
  std::unordered_map<Dwarf_Off, std::string> names_;
};

}  // namespace

void DebugInfo::for_each_part(const VisitCode& visit) {
  list_variables();
  Parts parts(visit);
  for (Variable& variable : variables_) {
    if (std::optional<Dwarf_Die> type = bare_type_of(&variable.die))
      parts.below(*type, variable.begin, 0);
  }
}

}  // namespace heddle::symbols
