#include "flow/sweep.h"

#include <algorithm>
#include <optional>

namespace heddle::flow {
namespace {

constexpr uint64_t kProgressStep = 1 << 16;

class Sweeper {
 public:
  Sweeper(const Image& image, const Progress& progress)
      : image_(image), progress_(progress), decoder_(false) {}

  Sweep run() {
    uint64_t begin = image_.functions().empty() ? 0 : image_.functions().front().begin;
    uint64_t end = begin;
    for (const auto& function : image_.functions()) end = std::max(end, function.end);
    found_.starts = AddressSet(begin, end);
    found_.leaders = AddressSet(begin, end);
    measure();
    for (size_t i = 0; i < image_.functions().size(); ++i) sweep_function(i);
    auto& referred = found_.referred;
    referred.insert(referred.end(), image_.referred().begin(), image_.referred().end());
    std::sort(referred.begin(), referred.end());
    referred.erase(std::unique(referred.begin(), referred.end()), referred.end());
    if (progress_) progress_(total_, total_);
    return std::move(found_);
  }

 private:
  void measure() {
    uint64_t covered = 0;
    for (const auto& function : image_.functions()) {
      uint64_t begin = std::max(function.begin, covered);
      if (function.end > begin) total_ += function.end - begin;
      covered = std::max(covered, function.end);
    }
  }

  void sweep_function(size_t number) {
    const Image::Function& function = image_.functions()[number];
    found_.leaders.add(function.begin);
    // What lies in another was swept with it, if it is in step.
    uint64_t begin = std::max(function.begin, covered_);
    bool has_indirect = false;
    uint64_t address = begin;
    while (address < function.end) {
      auto code = image_.bytes(address);
      if (code.empty()) break;
      Instruction instruction = decoder_.decode(
          code.first(std::min<uint64_t>(code.size(), function.end - address)), address);
      has_indirect |= note(instruction);
      address = instruction.end();
    }
    if (address > begin) {
      found_.stretches.push_back({begin, address, function.name});
      if (has_indirect) found_.indirect.push_back(found_.stretches.size() - 1);
      advance(address - begin);
    }
    covered_ = std::max(covered_, address);
  }

  // Whether it is an indirect transfer.
  bool note(const Instruction& instruction) {
    found_.starts.add(instruction.address);
    if (instruction.has_memory) refer(static_cast<uint64_t>(instruction.memory.displacement));
    Event event{static_cast<uint32_t>(instruction.address),
                static_cast<uint32_t>(instruction.end()),
                instruction.transfer,
                instruction.indirect,
                false,
                instruction.target};
    if (instruction.transfer == Transfer::none) {
      auto taken = taken_by(instruction);
      if (!taken) return false;
      event.target = *taken;
      event.through_word = image_.is_linked(*taken);
    } else if (instruction.indirect && instruction.has_memory && instruction.memory.is_fixed() &&
               image_.is_linked(static_cast<uint64_t>(instruction.memory.displacement))) {
      event.indirect = false;
      event.through_word = true;
      event.target = static_cast<uint64_t>(instruction.memory.displacement);
    } else if (!instruction.indirect && instruction.transfer != Transfer::call) {
      found_.leaders.add(instruction.target);
    }
    found_.leaders.add(instruction.end());
    found_.events.push_back(event);
    return event.indirect;
  }

  // The address of a function or virtual table that an instruction takes; or that of the word from
  // which it takes one.
  std::optional<uint64_t> taken_by(const Instruction& instruction) const {
    if (instruction.takes_address) {
      uint64_t address = 0;
      if (instruction.has_memory && instruction.memory.is_fixed() && instruction.immediate == 0) {
        address = static_cast<uint64_t>(instruction.memory.displacement);
      } else if (image_.is_fixed()) {
        address = instruction.immediate;
      }
      if (address == 0) return std::nullopt;
      if (image_.function_that_begins_at(address) != nullptr) return address;
      if (image_.is_stub(address) || image_.virtual_table_at(address) != nullptr) return address;
      return std::nullopt;
    }
    if (instruction.loads && instruction.has_memory && instruction.memory.is_fixed()) {
      uint64_t place = static_cast<uint64_t>(instruction.memory.displacement);
      if (image_.is_linked(place) && image_.word(place)) return place;
      uint64_t variable = image_.linked_variable(place);
      if (image_.virtual_table_at(variable) != nullptr) return variable;
    }
    return std::nullopt;
  }

  void refer(uint64_t address) {
    if (image_.is_data(address)) found_.referred.push_back(address);
  }

  void advance(uint64_t bytes) {
    done_ += bytes;
    if (!progress_ || done_ < said_ + kProgressStep) return;
    said_ = done_;
    progress_(done_, total_);
  }

  const Image& image_;
  const Progress& progress_;
  Decoder decoder_;
  Sweep found_;
  uint64_t covered_ = 0;
  uint64_t total_ = 0;
  uint64_t done_ = 0;
  uint64_t said_ = 0;
};

}  // namespace

Sweep sweep(const Image& image, const Progress& progress) { return Sweeper(image, progress).run(); }

Callee behind_stub(const Image& image, Decoder* decoder, uint64_t address) {
  // A stub is a jump through a word, perhaps with a mark for the processor before it.
  constexpr int kLength = 3;
  uint64_t place = address;
  for (int i = 0; i < kLength; ++i) {
    auto code = image.bytes(place);
    if (code.empty()) break;
    Instruction instruction = decoder->decode(code, place);
    if (instruction.transfer == Transfer::jump && instruction.indirect && instruction.has_memory) {
      auto callee = image.word(static_cast<uint64_t>(instruction.memory.displacement));
      if (callee) return *callee;
    }
    place = instruction.end();
  }
  return Callee{};
}

}  // namespace heddle::flow
