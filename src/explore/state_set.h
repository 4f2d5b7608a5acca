// The different states that the executions of a search have visited, where the test declares them
// (heddle::state): with their bytes, in the order of first visit.
//
// A worker sends each state with the result of the first of its executions that visits it. Results
// are looked at in the order of their jobs; so the first execution of all that visits a state is
// the first that brings it here, whatever the number of workers.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "explore/bytes.h"

namespace heddle::explore {

class StateSet {
 public:
  struct State {
    uint64_t execution;  // the first that visited it, from 1
    uint32_t step;       // after which it did
    std::string_view bytes;
  };

  // The states that execution number `execution` sent: wire::StateRecords, from shared memory.
  void add(uint64_t execution, std::span<const char> records);

  // All that another one has, behind its own.
  void add_all(const StateSet& other);

  uint64_t size() const { return entries_.size(); }
  State state(uint64_t number) const;  // in the order of first visit

  void save(ByteWriter& out) const;
  void load(ByteReader& in);

 private:
  struct Entry {
    uint64_t execution;
    uint64_t begin;  // in bytes_
    uint32_t size;
    uint32_t step;
  };

  void insert(uint64_t execution, uint32_t step, std::string_view bytes);
  void remember(uint64_t number);

  std::vector<char> bytes_;  // of all of them, one after the other
  std::vector<Entry> entries_;
  std::unordered_multimap<uint64_t, uint64_t> by_hash_;  // of the bytes; numbers of entries
};

}  // namespace heddle::explore
