#include "symbols/type_path.h"

#include <dwarf.h>

#include <vector>

#include "symbols/dwarf_entry.h"
#include "symbols/symbols.h"

namespace heddle::symbols {
namespace {

bool is_record(int tag) {
  return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

class Path {
 public:
  explicit Path(Aim aim) : aim_(aim) {}

  std::string to(Dwarf_Die type, uint64_t offset) {
    descend(type, offset, 0);
    return std::move(text_);
  }

 private:
  void descend(Dwarf_Die type, uint64_t offset, int depth) {
    int tag = dwarf_tag(&type);
    bool done =
        depth < kMaxDwarfDepth && ((tag == DW_TAG_array_type && array(type, offset, depth)) ||
                                   (is_record(tag) && record(type, offset, depth)));
    if (!done && offset != 0) text_ += "+" + std::to_string(offset);
  }

  bool array(Dwarf_Die type, uint64_t offset, int depth) {
    std::optional<Dwarf_Die> element = bare_type_of(&type);
    std::optional<uint64_t> size = element ? type_size(&*element) : std::nullopt;
    if (!size || *size == 0) return false;
    // "int a[2][3]" is one array type with two ranges; an element is one int.
    std::vector<uint64_t> counts;
    for_each_child(&type, [&](Dwarf_Die& range) {
      if (dwarf_tag(&range) != DW_TAG_subrange_type) return;
      std::optional<uint64_t> count = entry_number(&range, DW_AT_count);
      std::optional<uint64_t> last = entry_number(&range, DW_AT_upper_bound);
      counts.push_back(count ? *count : last ? *last + 1 : 0);
    });
    uint64_t index = offset / *size;
    std::string indices;
    for (size_t i = counts.size(); i-- > 1;) {
      if (counts[i] == 0) return false;
      indices = "[" + std::to_string(index % counts[i]) + "]" + indices;
      index /= counts[i];
    }
    text_ += "[" + std::to_string(index) + "]" + indices;
    descend(*element, offset % *size, depth + 1);
    return true;
  }

  // False where the type is the library's own: nobody wants to read "_M_mutex.__data.__lock".
  bool record(Dwarf_Die type, uint64_t offset, int depth) {
    if (aim_ == Aim::whole && offset == 0) return true;
    Dwarf_Die unit;
    if (dwarf_diecu(&type, &unit, nullptr, nullptr) == nullptr) return false;
    bool system = is_system_file(entry_file(&unit, &type, DW_AT_decl_file));
    std::string name = entry_name(&type);
    bool is_array = system && name.starts_with("array<");
    if (system && !is_array && !name.starts_with("pair<")) return false;
    bool found = false;
    for_each_child(&type, [&](Dwarf_Die& member) {
      if (found) return;
      int tag = dwarf_tag(&member);
      if (tag != DW_TAG_member && tag != DW_TAG_inheritance) return;
      if (tag == DW_TAG_member && dwarf_hasattr(&member, DW_AT_external) != 0) return;  // static
      std::optional<Dwarf_Die> member_type = bare_type_of(&member);
      std::optional<uint64_t> size = member_type ? type_size(&*member_type) : std::nullopt;
      uint64_t start = entry_number(&member, DW_AT_data_member_location).value_or(0);
      if (!size || offset < start || offset - start >= *size) return;
      found = true;
      std::string member_name = entry_name(&member);
      if (tag == DW_TAG_member && !member_name.empty() && !is_array) text_ += "." + member_name;
      descend(*member_type, offset - start, depth + 1);
    });
    return found;
  }

  Aim aim_;
  std::string text_;
};

}  // namespace

std::string path_into(Dwarf_Die type, uint64_t offset, Aim aim) {
  return Path(aim).to(type, offset);
}

}  // namespace heddle::symbols
