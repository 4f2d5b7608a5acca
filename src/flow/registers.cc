#include "flow/registers.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <optional>

namespace heddle::flow {
namespace {

// Smaller numbers are no addresses of data.
constexpr int64_t kLowestAddress = 4096;

struct Value {
  enum Kind : uint8_t {
    unknown,
    stack,     // an address on the stack
    constant,  // `number`
    within,    // an address in the table at `number`
    offset,    // a 32-bit entry of the table at `number`
    target,    // that entry and the table's address
    entry,     // a 64-bit entry of the table at `number`
    loaded,    // a word of memory
    variable,  // a word at a fixed address; or another value that is no pointer to a virtual table
  } kind = unknown;
  // Of a loaded word: what its address was derived from.
  enum Base : uint8_t {
    plain,   // a pointer of which nothing is known
    first,   // a word that was the first of an object: its virtual table, if it has one
    further  // … another word of an object
  } base = plain;
  uint64_t number = 0;  // of a loaded word: its place behind that pointer; or kSeveral
  // Of a loaded word, a bit for each slot of a virtual table that it may be; and a bit for each
  // number of words that may have been added to it.
  uint64_t slots = 0;
  uint64_t added = 1;

  static constexpr uint64_t kSeveral = UINT64_MAX;
  bool is_of_table() const { return kind == loaded && base != plain && slots != 0 && added == 1; }

  bool operator==(const Value&) const = default;
};

using State = std::array<Value, kRegisters>;

Value::Base base_of(const Value& value) {
  if (value.kind != Value::loaded) return Value::plain;
  return value.number == 0 ? Value::first : Value::further;
}

Value of_register(const State& state, uint8_t reg) {
  return reg == kNoRegister ? Value{} : state[reg];
}

// The bits of a set of words, that many bytes on; none if that cannot be said.
uint64_t shifted(uint64_t words, int64_t bytes) {
  constexpr int64_t kMax = 8 * 64;
  if (bytes % 8 != 0 || bytes <= -kMax || bytes >= kMax) return 0;
  int64_t by = bytes / 8;
  uint64_t result = by >= 0 ? words << by : words >> -by;
  bool is_whole = std::popcount(result) == std::popcount(words);
  return is_whole ? result : 0;
}

Value plus(Value value, int64_t number) {
  switch (value.kind) {
    case Value::stack:
      return value;
    case Value::constant:
      value.number += static_cast<uint64_t>(number);
      return value;
    case Value::loaded:
      value.added = shifted(value.added, number);
      return value.added != 0 ? value : Value{};
    default:
      return Value{};
  }
}

Value sum(const Value& a, const Value& b) {
  if (b.kind == Value::constant && a.kind != Value::constant) return sum(b, a);
  if (a.kind != Value::constant) return Value{};
  if (b.kind == Value::offset && b.number == a.number)
    return Value{Value::target, Value::plain, a.number};
  if (b.kind == Value::constant || b.kind == Value::stack) return Value{};
  return Value{Value::within, Value::plain, a.number};
}

Value address_of(const State& state, const Memory& memory) {
  if (memory.is_fixed())
    return Value{Value::constant, Value::plain, static_cast<uint64_t>(memory.displacement)};
  if (memory.index == kNoRegister) return plus(state[memory.base], memory.displacement);
  Value base = plus(of_register(state, memory.base), memory.displacement);
  if (memory.base == kNoRegister && memory.displacement >= kLowestAddress)
    return Value{Value::within, Value::plain, static_cast<uint64_t>(memory.displacement)};
  return base.kind == Value::constant ? Value{Value::within, Value::plain, base.number} : Value{};
}

// An entry of the table that begins at a constant, which one of the operand's parts is.
std::optional<uint64_t> table_of(const State& state, const Memory& memory) {
  uint64_t displacement = static_cast<uint64_t>(memory.displacement);
  if (memory.base == kNoRegister && memory.index != kNoRegister) return displacement;
  for (uint8_t reg : {memory.base, memory.index}) {
    Value value = of_register(state, reg);
    bool alone = memory.index == kNoRegister;
    if (value.kind == Value::constant && !alone) return value.number + displacement;
    if (value.kind == Value::within && alone) return value.number + displacement;
  }
  return std::nullopt;
}

Value load(const State& state, const Memory& memory) {
  auto table = table_of(state, memory);
  if (table && memory.width == 4) return Value{Value::offset, Value::plain, *table};
  if (memory.width != 8) return Value{};
  if (table) return Value{Value::entry, Value::plain, *table};
  if (memory.is_fixed()) return Value{Value::variable, Value::plain, 0};
  if (memory.index != kNoRegister) return Value{};
  const Value& base = state[memory.base];
  if (base.kind == Value::stack || base.kind == Value::constant) return Value{};
  uint64_t slots = shifted(base.added, memory.displacement);
  uint64_t number = static_cast<uint64_t>(memory.displacement);
  if (base.kind == Value::loaded && base.added != 1) {
    number = std::has_single_bit(slots) ? 8 * static_cast<uint64_t>(std::countr_zero(slots))
                                        : Value::kSeveral;
  }
  return Value{Value::loaded, base_of(base), number, slots, 1};
}

// What a register may hold where two ways meet.
Value meet(const Value& a, const Value& b) {
  if (a == b) return a;
  if (a.kind == Value::loaded && b.kind == Value::loaded && a.base == b.base &&
      a.number == b.number && a.slots == b.slots) {
    Value result = a;
    result.added |= b.added;
    return result;
  }
  if (!a.is_of_table() && !b.is_of_table()) {
    auto may_be_any = [](const Value& v) {
      return v.kind == Value::unknown || v.kind == Value::loaded;
    };
    return may_be_any(a) || may_be_any(b) ? Value{} : Value{Value::variable};
  }
  // Compilers merge the ends of ways that call different functions.
  bool both = a.is_of_table() && b.is_of_table();
  Value result{Value::loaded, Value::further, Value::kSeveral, 0, 1};
  if (both && a.base == b.base) result.base = a.base;
  if (a.is_of_table()) result.slots |= a.slots;
  if (b.is_of_table()) result.slots |= b.slots;
  return result;
}

void apply(const Instruction& instruction, State* state) {
  if (instruction.transfer == Transfer::call) {
    // rax, rcx, rdx, rsi, rdi, r8 to r11 do not outlive it.
    for (uint8_t reg : {0, 1, 2, 6, 7, 8, 9, 10, 11}) (*state)[reg] = Value{};
    return;
  }
  Value value;
  switch (instruction.effect) {
    case Effect::none:
      break;
    case Effect::constant:
      value = {Value::constant, Value::plain, static_cast<uint64_t>(instruction.number)};
      break;
    case Effect::copy:
      value = (*state)[instruction.from];
      break;
    case Effect::address:
      value = address_of(*state, instruction.memory);
      break;
    case Effect::load:
      value = load(*state, instruction.memory);
      break;
    case Effect::add:
      value = sum((*state)[instruction.to], (*state)[instruction.from]);
      break;
    case Effect::add_constant:
      value = plus((*state)[instruction.to], instruction.number);
      break;
  }
  for (uint8_t reg = 0; reg < kRegisters; ++reg) {
    if ((instruction.kills >> reg & 1) != 0) (*state)[reg] = Value{};
  }
  if (instruction.effect != Effect::none) (*state)[instruction.to] = value;
}

// Through which word of which table, for a transfer whose address is that of `value`.
Destination by_value(const Value& value, const ReadTable& read_table) {
  Destination found;
  if (value.kind == Value::target || value.kind == Value::entry) {
    found.targets = read_table(value.number, value.kind == Value::target);
    if (!found.targets.empty()) found.kind = Destination::table;
  } else if (value.is_of_table()) {
    found.kind = value.base == Value::first ? Destination::slot : Destination::slot_or_any;
    found.slots = value.slots;
  }
  return found;
}

class Function {
 public:
  Function(std::span<const Instruction> code, const ReadTable& read_table, const Returns& returns)
      : code_(code), read_table_(read_table), returns_(returns) {}

  std::vector<Destination> run() {
    State begin{};
    begin[kStackPointer].kind = Value::stack;
    flow_to(code_.front().address, begin);
    // Each round follows the ways to the end of the code; a loop needs one more for what it
    // changes.
    for (int round = 0; changed_ && round < kMaxRounds; ++round) {
      changed_ = false;
      go_through();
    }
    std::vector<Destination> found;
    for (const Instruction& instruction : code_) {
      if (!instruction.indirect) continue;
      auto known = destinations_.find(instruction.address);
      found.push_back(known != destinations_.end() ? known->second : Destination{});
      found.back().address = instruction.address;
    }
    return found;
  }

 private:
  static constexpr int kMaxRounds = 50;

  void go_through() {
    std::optional<State> state;
    for (const Instruction& instruction : code_) {
      auto known = states_.find(instruction.address);
      if (known != states_.end()) {
        // What comes from the instruction before was met with this already, if it is a leader.
        if (state) flow_to(instruction.address, *state);
        state = states_.at(instruction.address);
      }
      if (!state) continue;
      if (instruction.indirect) look_at(instruction, *state);
      apply(instruction, &*state);
      if (instruction.transfer == Transfer::branch || instruction.transfer == Transfer::jump) {
        if (!instruction.indirect) flow_to(instruction.target, *state);
        if (instruction.transfer == Transfer::jump) state.reset();
      } else if (instruction.transfer == Transfer::ret || instruction.transfer == Transfer::stop ||
                 (instruction.transfer == Transfer::call && !returns_(instruction))) {
        state.reset();
      }
    }
  }

  void look_at(const Instruction& instruction, const State& state) {
    Value value;
    if (instruction.through != kNoRegister) {
      value = state[instruction.through];
    } else if (instruction.has_memory) {
      value = load(state, instruction.memory);
      // A pointer that has come from elsewhere may well be that to a virtual table.
      bool is_from_elsewhere = of_register(state, instruction.memory.base).kind == Value::unknown;
      if (value.kind == Value::loaded && is_from_elsewhere) value.base = Value::further;
    }
    Destination found = by_value(value, read_table_);
    if (instruction.transfer == Transfer::call && found.kind == Destination::table) {
      found = Destination{};  // of pointers to functions
    }
    for (uint64_t target : found.targets) flow_to(target, state);
    destinations_[instruction.address] = std::move(found);
  }

  void flow_to(uint64_t address, const State& state) {
    if (address < code_.front().address || address >= code_.back().end()) return;
    auto [known, is_new] = states_.try_emplace(address, state);
    if (is_new) {
      changed_ = true;
      return;
    }
    for (uint8_t reg = 0; reg < kRegisters; ++reg) {
      Value met = meet(known->second[reg], state[reg]);
      if (met == known->second[reg]) continue;
      known->second[reg] = met;
      changed_ = true;
    }
  }

  std::span<const Instruction> code_;
  const ReadTable& read_table_;
  const Returns& returns_;
  std::map<uint64_t, State> states_;  // where ways meet
  std::map<uint64_t, Destination> destinations_;
  bool changed_ = false;
};

}  // namespace

std::vector<Destination> find_destinations(std::span<const Instruction> code,
                                           const ReadTable& read_table, const Returns& returns) {
  return Function(code, read_table, returns).run();
}

}  // namespace heddle::flow
