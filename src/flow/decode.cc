#include "flow/decode.h"

#include <algorithm>

#include "base/error.h"

namespace heddle::flow {
namespace {

uint8_t number_of(unsigned reg) {
  switch (reg) {
#define HEDDLE_REGISTER(number, r64, r32, r16, r8) \
  case X86_REG_##r64:                              \
  case X86_REG_##r32:                              \
  case X86_REG_##r16:                              \
  case X86_REG_##r8:                               \
    return number;
    HEDDLE_REGISTER(0, RAX, EAX, AX, AL)
    HEDDLE_REGISTER(1, RCX, ECX, CX, CL)
    HEDDLE_REGISTER(2, RDX, EDX, DX, DL)
    HEDDLE_REGISTER(3, RBX, EBX, BX, BL)
    HEDDLE_REGISTER(4, RSP, ESP, SP, SPL)
    HEDDLE_REGISTER(5, RBP, EBP, BP, BPL)
    HEDDLE_REGISTER(6, RSI, ESI, SI, SIL)
    HEDDLE_REGISTER(7, RDI, EDI, DI, DIL)
    HEDDLE_REGISTER(8, R8, R8D, R8W, R8B)
    HEDDLE_REGISTER(9, R9, R9D, R9W, R9B)
    HEDDLE_REGISTER(10, R10, R10D, R10W, R10B)
    HEDDLE_REGISTER(11, R11, R11D, R11W, R11B)
    HEDDLE_REGISTER(12, R12, R12D, R12W, R12B)
    HEDDLE_REGISTER(13, R13, R13D, R13W, R13B)
    HEDDLE_REGISTER(14, R14, R14D, R14W, R14B)
    HEDDLE_REGISTER(15, R15, R15D, R15W, R15B)
#undef HEDDLE_REGISTER
    case X86_REG_AH:
      return 0;
    case X86_REG_CH:
      return 1;
    case X86_REG_DH:
      return 2;
    case X86_REG_BH:
      return 3;
    default:
      return kNoRegister;
  }
}

Memory memory_of(const cs_insn& insn, const cs_x86_op& operand) {
  Memory memory;
  memory.width = operand.size;
  memory.displacement = operand.mem.disp;
  memory.index = number_of(operand.mem.index);
  if (operand.mem.base == X86_REG_RIP) {
    memory.displacement += static_cast<int64_t>(insn.address + insn.size);
  } else {
    memory.base = number_of(operand.mem.base);
  }
  return memory;
}

Transfer transfer_of(const cs_insn& insn) {
  switch (insn.id) {
    case X86_INS_JMP:
      return Transfer::jump;
    case X86_INS_CALL:
      return Transfer::call;
    case X86_INS_RET:
    case X86_INS_RETF:
    case X86_INS_RETFQ:
    case X86_INS_IRET:
    case X86_INS_IRETD:
    case X86_INS_IRETQ:
    case X86_INS_SYSRET:
    case X86_INS_SYSEXIT:
      return Transfer::ret;
    case X86_INS_HLT:
    case X86_INS_UD0:
    case X86_INS_UD2:
    case X86_INS_UD2B:
      return Transfer::stop;
    default:
      break;
  }
  const uint8_t* groups = insn.detail->groups;
  bool jumps = std::find(groups, groups + insn.detail->groups_count, X86_GRP_JUMP) !=
               groups + insn.detail->groups_count;
  return jumps ? Transfer::branch : Transfer::none;
}

void find_target(const cs_insn& insn, Instruction* result) {
  const cs_x86& x86 = insn.detail->x86;
  if (x86.op_count == 0) return;
  const cs_x86_op& operand = x86.operands[0];
  if (operand.type == X86_OP_IMM) {
    result->target = static_cast<uint64_t>(operand.imm);
    return;
  }
  result->indirect = true;
  if (operand.type == X86_OP_REG) result->through = number_of(operand.reg);
}

void find_references(const cs_insn& insn, Instruction* result) {
  const cs_x86& x86 = insn.detail->x86;
  for (uint8_t i = 0; i < x86.op_count; ++i) {
    const cs_x86_op& operand = x86.operands[i];
    // Another segment is another address space: thread-local storage.
    if (operand.type == X86_OP_MEM && operand.mem.segment != X86_REG_FS &&
        operand.mem.segment != X86_REG_GS) {
      result->has_memory = true;
      result->memory = memory_of(insn, operand);
    }
    if (operand.type == X86_OP_IMM) result->immediate = static_cast<uint64_t>(operand.imm);
  }
  bool moves = insn.id == X86_INS_MOV || insn.id == X86_INS_MOVABS || insn.id == X86_INS_PUSH;
  if (!moves) result->immediate = 0;
  result->loads = insn.id == X86_INS_MOV && x86.op_count == 2 &&
                  x86.operands[0].type == X86_OP_REG && x86.operands[1].type == X86_OP_MEM;
  result->takes_address = insn.id == X86_INS_LEA || result->immediate != 0;
}

bool moves_to_register(unsigned id) {
  return id == X86_INS_MOV || id == X86_INS_MOVABS || id == X86_INS_MOVSXD || id == X86_INS_LEA ||
         id == X86_INS_ADD;
}

// Of an instruction with two operands, the first of which is a register of 32 or 64 bits.
Effect effect_of(const cs_insn& insn, Instruction* result) {
  const cs_x86_op& second = insn.detail->x86.operands[1];
  if (insn.id == X86_INS_LEA) return Effect::address;
  bool adds = insn.id == X86_INS_ADD;
  switch (second.type) {
    case X86_OP_REG:
      result->from = number_of(second.reg);
      if (result->from == kNoRegister) return Effect::none;
      return adds ? Effect::add : Effect::copy;
    case X86_OP_IMM:
      result->number = second.imm;
      return adds ? Effect::add_constant : Effect::constant;
    case X86_OP_MEM:
      return adds || !result->has_memory ? Effect::none : Effect::load;
    default:
      return Effect::none;
  }
}

void find_effect(csh handle, const cs_insn& insn, Instruction* result) {
  const cs_x86& x86 = insn.detail->x86;
  if (insn.id == X86_INS_CDQE) return;  // what it extends stays what it is
  cs_regs read;
  cs_regs written;
  uint8_t read_count = 0;
  uint8_t written_count = 0;
  if (cs_regs_access(handle, &insn, read, &read_count, written, &written_count) == CS_ERR_OK) {
    for (uint8_t i = 0; i < written_count; ++i) {
      uint8_t reg = number_of(written[i]);
      if (reg != kNoRegister) result->kills |= static_cast<uint16_t>(1u << reg);
    }
  }
  // The stack pointer stays one, whatever is done to it.
  result->kills &= static_cast<uint16_t>(~(1u << kStackPointer));
  if (!moves_to_register(insn.id) || x86.op_count != 2 || x86.operands[0].type != X86_OP_REG ||
      x86.operands[0].size < 4) {
    return;
  }
  uint8_t to = number_of(x86.operands[0].reg);
  if (to == kNoRegister || to == kStackPointer) return;
  result->effect = effect_of(insn, result);
  if (result->effect == Effect::none) return;
  result->to = to;
  result->kills &= static_cast<uint16_t>(~(1u << to));
}

}  // namespace

Decoder::Decoder(bool with_effects) : with_effects_(with_effects) {
  if (cs_open(CS_ARCH_X86, CS_MODE_64, &handle_) != CS_ERR_OK)
    throw InternalError("Capstone cannot be opened");
  cs_option(handle_, CS_OPT_DETAIL, CS_OPT_ON);
  scratch_ = cs_malloc(handle_);
}

Decoder::~Decoder() {
  cs_free(scratch_, 1);
  cs_close(&handle_);
}

Instruction Decoder::decode(std::span<const uint8_t> code, uint64_t address) {
  Instruction result;
  result.address = address;
  result.length = 1;
  const uint8_t* bytes = code.data();
  size_t size = code.size();
  uint64_t next = address;
  if (!cs_disasm_iter(handle_, &bytes, &size, &next, scratch_)) return result;
  result.length = static_cast<uint8_t>(scratch_->size);
  result.transfer = transfer_of(*scratch_);
  if (result.transfer != Transfer::none) find_target(*scratch_, &result);
  if (result.transfer == Transfer::none || result.indirect) find_references(*scratch_, &result);
  if (with_effects_) find_effect(handle_, *scratch_, &result);
  return result;
}

}  // namespace heddle::flow
