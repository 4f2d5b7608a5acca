// The control flow of a file, as plain data.
//
// Nodes are blocks, by address, and behind them nodes without code: everything outside of the file,
// and sets of functions. A jump to another function is an edge like any other: whoever returns from
// there returns to where the function would have.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "flow/address_set.h"

namespace heddle::flow {

enum class EdgeKind : uint8_t {
  go,      // on to the next block, a jump; or from a set to its members
  call,    // into a function
  behind,  // a call: on to here, once the function has returned
  take,    // the address of a function is taken, so that somebody may call it
};

struct Edge {
  uint32_t to : 30;
  uint32_t kind : 2;
};

struct Graph {
  static constexpr uint8_t kReturns = 1;  // a node that ends with a return
  static constexpr uint8_t kCalls = 2;    // … with a call

  AddressSet starts;            // of instructions
  std::vector<uint32_t> begin;  // of blocks, ascending
  std::vector<uint32_t> end;
  std::vector<uint8_t> flags;   // of nodes
  std::vector<uint32_t> first;  // of each node's edges; one more than nodes
  std::vector<Edge> edges;
  std::vector<uint32_t> entries;  // blocks with which functions begin

  size_t nodes() const { return flags.size(); }
  size_t blocks() const { return begin.size(); }
  // The block that begins there, or the number of nodes.
  size_t block_at(uint64_t address) const;
  // The block that has this address in it, or the number of nodes.
  size_t block_around(uint64_t address) const;
};

}  // namespace heddle::flow
