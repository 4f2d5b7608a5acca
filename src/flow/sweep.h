// All instructions of a file, function by function, in the order of their addresses: where they
// begin, and what is to be known of those that do more than go on to the next.
#pragma once

#include <cstdint>
#include <vector>

#include "flow/address_set.h"
#include "flow/decode.h"
#include "flow/image.h"
#include "flow/progress.h"

namespace heddle::flow {

// An instruction that ends a block: it jumps, calls or returns, or it takes an address.
struct Event {
  uint32_t address;
  uint32_t end;
  Transfer transfer;
  // Of an indirect one, other than through a word that the linker fills: where it goes has to be
  // found out.
  bool indirect;
  bool through_word;  // `target` is the address of such a word
  uint64_t target;    // of the transfer; or the address that is taken
};

struct Sweep {
  AddressSet starts;          // of instructions
  AddressSet leaders;         // where blocks begin, as far as that is seen in the code
  std::vector<Event> events;  // by address
  // Addresses of data that the code or the data refers to, in order.
  std::vector<uint64_t> referred;
  // The functions, without what lies in an earlier one, which is swept with that.
  std::vector<Image::Function> stretches;
  // The numbers of those that have an indirect transfer.
  std::vector<size_t> indirect;
};

Sweep sweep(const Image& image, const Progress& progress);

// Where a call or jump to a stub of the linker goes; the address itself if it is no stub.
Callee behind_stub(const Image& image, Decoder* decoder, uint64_t address);

}  // namespace heddle::flow
