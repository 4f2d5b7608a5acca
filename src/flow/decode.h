// Instructions of x86-64, as far as control flow needs to know them.
#pragma once

#include <capstone/capstone.h>

#include <cstdint>
#include <span>

namespace heddle::flow {

enum class Transfer : uint8_t {
  none,
  branch,  // jumps, or goes on
  jump,
  call,
  ret,
  stop,  // does not go on: ud2, hlt
};

// Registers are numbered as the processor does, rax to r15.
inline constexpr uint8_t kRegisters = 16;
inline constexpr uint8_t kStackPointer = 4;
inline constexpr uint8_t kNoRegister = 0xff;

// A memory operand: base + index * scale + displacement. One that is relative to the instruction
// has no base, and its address as the displacement.
struct Memory {
  uint8_t base = kNoRegister;
  uint8_t index = kNoRegister;
  uint8_t width = 0;  // in bytes
  int64_t displacement = 0;

  bool is_fixed() const { return base == kNoRegister && index == kNoRegister; }
};

// What an instruction does to a register; other registers in `kills` get a value that is not known.
enum class Effect : uint8_t {
  none,
  constant,     // to = number
  copy,         // to = from
  address,      // to = the address of the memory operand
  load,         // to = the memory operand
  add,          // to += from
  add_constant  // to += number
};

struct Instruction {
  uint64_t address = 0;
  uint8_t length = 0;
  Transfer transfer = Transfer::none;
  uint8_t through = kNoRegister;  // of an indirect transfer; or else `memory`
  bool indirect = false;
  uint64_t target = 0;  // of a direct transfer

  bool has_memory = false;
  bool takes_address = false;  // of the memory operand, or by `immediate`
  bool loads = false;          // the memory operand, whole, to a register
  Memory memory;
  uint64_t immediate = 0;  // a number that may be an address

  // Filled only by a decoder that was asked for effects.
  Effect effect = Effect::none;
  uint8_t to = kNoRegister;
  uint8_t from = kNoRegister;
  int64_t number = 0;
  uint16_t kills = 0;

  uint64_t end() const { return address + length; }
};

class Decoder {
 public:
  explicit Decoder(bool with_effects);
  ~Decoder();
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;

  // The instruction at the start of `code`. Bytes that are none that the decoder knows are one of a
  // single byte, which does nothing.
  Instruction decode(std::span<const uint8_t> code, uint64_t address);

 private:
  csh handle_ = 0;
  cs_insn* scratch_ = nullptr;
  bool with_effects_;
};

}  // namespace heddle::flow
