// The part of DebugInfo that names local variables.
//
// Only variables that live in the frame are of interest: one whose address another thread knows
// cannot be in a register. GCC counts their places from the frame's upper end
// (DW_OP_call_frame_cfa), Clang from rbp or rsp. A function of Clang's that counts from rbp has
// pushed it first, right below the return address.
#include <dwarf.h>

#include "symbols/debug_info.h"
#include "symbols/dwarf_entry.h"
#include "symbols/type_path.h"

namespace heddle::symbols {
namespace {

constexpr int kRbp = 6;
constexpr int kRsp = 7;

struct Frame {
  Aim aim;  // of the question
  uint64_t sp;
  uint64_t cfa;
  std::optional<uint64_t> base;  // DW_AT_frame_base

  std::optional<uint64_t> register_value(int number) const {
    if (number == kRsp) return sp;
    if (number == kRbp) return cfa - 16;  // the return address and the pushed rbp lie between
    return {};
  }
};

std::optional<uint64_t> frame_base(Dwarf_Die* function, const Frame& frame) {
  Dwarf_Attribute attribute;
  Dwarf_Op* ops = nullptr;
  size_t count = 0;
  if (dwarf_getlocation(dwarf_attr_integrate(function, DW_AT_frame_base, &attribute), &ops,
                        &count) != 0 ||
      count != 1) {
    return {};
  }
  if (ops[0].atom == DW_OP_call_frame_cfa) return frame.cfa;
  if (ops[0].atom >= DW_OP_reg0 && ops[0].atom <= DW_OP_reg31) {
    return frame.register_value(ops[0].atom - DW_OP_reg0);
  }
  return {};
}

std::optional<uint64_t> evaluate(const Dwarf_Op* ops, size_t count, const Frame& frame) {
  if (count != 1) return {};
  std::optional<uint64_t> base;
  if (ops[0].atom == DW_OP_fbreg) {
    base = frame.base;
  } else if (ops[0].atom >= DW_OP_breg0 && ops[0].atom <= DW_OP_breg31) {
    base = frame.register_value(ops[0].atom - DW_OP_breg0);
  }
  if (!base) return {};
  return *base + ops[0].number;  // a signed offset, in two's complement
}

// Where the variable is, in whichever part of the function: a place in the frame does not move.
std::optional<uint64_t> address_of(Dwarf_Die* variable, const Frame& frame) {
  Dwarf_Attribute attribute;
  if (dwarf_attr(variable, DW_AT_location, &attribute) == nullptr) return {};
  Dwarf_Op* ops = nullptr;
  size_t count = 0;
  Dwarf_Addr base = 0;
  Dwarf_Addr begin = 0;
  Dwarf_Addr end = 0;
  ptrdiff_t offset = 0;
  while ((offset = dwarf_getlocations(&attribute, offset, &base, &begin, &end, &ops, &count)) > 0) {
    if (std::optional<uint64_t> address = evaluate(ops, count, frame)) return address;
  }
  return {};
}

// Blocks of a function can share a part of its frame: one that `pc` lies in goes before one that it
// does not.
std::string find_in(Dwarf_Die parent, const Frame& frame, uint64_t pc, uint64_t address,
                    int depth) {
  if (depth > kMaxDwarfDepth) return "";
  std::string found;
  std::string found_elsewhere;
  for_each_child(&parent, [&](Dwarf_Die& child) {
    if (!found.empty()) return;
    int tag = dwarf_tag(&child);
    if (tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine) {
      std::string inside = find_in(child, frame, pc, address, depth + 1);
      (dwarf_haspc(&child, pc) == 1 ? found : found_elsewhere) = inside;
      return;
    }
    if (tag != DW_TAG_variable && tag != DW_TAG_formal_parameter) return;
    std::optional<Dwarf_Die> type = bare_type_of(&child);
    std::optional<uint64_t> size = type ? type_size(&*type) : std::nullopt;
    std::optional<uint64_t> start = size ? address_of(&child, frame) : std::nullopt;
    std::string name = start ? entry_name(&child) : "";
    if (name.empty() || address < *start || address - *start >= *size) return;
    found = name + path_into(*type, address - *start, frame.aim);
  });
  return found.empty() ? found_elsewhere : found;
}

}  // namespace

std::string DebugInfo::local_variable(uint64_t pc, uint64_t sp, uint64_t cfa, uint64_t address,
                                      Aim aim) {
  const Function* function = function_at(pc);
  if (function == nullptr || address < sp || address >= cfa) return "";
  Dwarf_Die die = function->die;
  Frame frame{aim, sp, cfa, {}};
  frame.base = frame_base(&die, frame);
  return find_in(die, frame, pc, address, 0);
}

}  // namespace heddle::symbols
