#include "symbols/dwarf_entry.h"

#include <dwarf.h>

#include <cstdlib>
#include <memory>
#include <vector>

#include "symbols/readable_name.h"

namespace heddle::symbols {

std::string entry_name(Dwarf_Die* die) {
  Dwarf_Attribute attribute;
  const char* text = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_name, &attribute));
  return text == nullptr ? "" : text;
}

std::optional<uint64_t> entry_number(Dwarf_Die* die, unsigned attribute) {
  Dwarf_Attribute found;
  Dwarf_Word value = 0;
  if (dwarf_formudata(dwarf_attr_integrate(die, attribute, &found), &value) != 0) return {};
  return value;
}

std::optional<Dwarf_Die> entry_reference(Dwarf_Die* die, unsigned attribute) {
  Dwarf_Attribute found;
  Dwarf_Die target;
  if (dwarf_attr_integrate(die, attribute, &found) == nullptr) return {};
  if (dwarf_formref_die(&found, &target) == nullptr) return {};
  return target;
}

std::optional<uint64_t> type_size(Dwarf_Die* type) {
  Dwarf_Word size = 0;
  if (dwarf_aggregate_size(type, &size) != 0) return {};
  return size;
}

std::optional<Dwarf_Die> bare_type_of(Dwarf_Die* die) {
  std::optional<Dwarf_Die> type = entry_reference(die, DW_AT_type);
  for (int i = 0; type && i < kMaxDwarfDepth; ++i) {
    switch (dwarf_tag(&*type)) {
      case DW_TAG_typedef:
      case DW_TAG_const_type:
      case DW_TAG_volatile_type:
      case DW_TAG_restrict_type:
      case DW_TAG_atomic_type:
        type = entry_reference(&*type, DW_AT_type);
        break;
      default:
        return type;
    }
  }
  return {};
}

std::string entry_file(Dwarf_Die* unit, Dwarf_Die* die, unsigned attribute) {
  std::optional<uint64_t> index = entry_number(die, attribute);
  Dwarf_Files* files = nullptr;
  size_t count = 0;
  if (!index || dwarf_getsrcfiles(unit, &files, &count) != 0 || *index >= count) return "";
  const char* name = dwarf_filesrc(files, *index, nullptr, nullptr);
  return name == nullptr ? "" : name;
}

std::string entry_qualified_name(Dwarf_Die* die) {
  Dwarf_Die* found = nullptr;
  int count = dwarf_getscopes_die(die, &found);
  std::unique_ptr<Dwarf_Die, void (*)(void*)> scopes(found, std::free);
  std::string function = entry_name(die);
  std::string name;
  for (int i = count - 1; i >= 0; --i) {
    Dwarf_Die* scope = scopes.get() + i;
    switch (dwarf_tag(scope)) {
      case DW_TAG_namespace:
      case DW_TAG_class_type:
      case DW_TAG_structure_type:
      case DW_TAG_union_type:
      case DW_TAG_subprogram:
        break;
      default:
        continue;
    }
    std::string part = entry_name(scope);
    if (part.empty() && dwarf_tag(scope) == DW_TAG_namespace) continue;
    // GCC gives the type of a lambda no name.
    if (part.empty()) part = function == "operator()" ? "{lambda}" : "{unnamed}";
    if (!name.empty()) name += "::";
    name += part;
  }
  return name;
}

std::string entry_function_name(Dwarf_Die* die, bool* has_linkage_name) {
  std::string name = entry_whole_name(die, has_linkage_name);
  return name.empty() ? "" : shorten_function(name);
}

std::string entry_whole_name(Dwarf_Die* die, bool* has_linkage_name) {
  *has_linkage_name = false;
  Dwarf_Attribute attribute;
  for (unsigned kind : {DW_AT_linkage_name, DW_AT_MIPS_linkage_name}) {
    const char* text = dwarf_formstring(dwarf_attr_integrate(die, kind, &attribute));
    if (text == nullptr) continue;
    *has_linkage_name = true;
    return demangle(text);
  }
  // A concrete or inlined instance refers to its abstract one, a definition to its declaration; the
  // latter stands where the function belongs.
  Dwarf_Die declared = *die;
  for (int i = 0; i < 4; ++i) {
    Dwarf_Attribute link;
    Dwarf_Die target;
    if (dwarf_attr(&declared, DW_AT_abstract_origin, &link) == nullptr &&
        dwarf_attr(&declared, DW_AT_specification, &link) == nullptr) {
      break;
    }
    if (dwarf_formref_die(&link, &target) == nullptr) break;
    declared = target;
  }
  return entry_qualified_name(&declared);
}

}  // namespace heddle::symbols
