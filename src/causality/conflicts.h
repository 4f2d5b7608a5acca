// Which threads do something later that depends on a step.
//
// In one execution reduction sees of such conflicts only the last before the other thread's
// operation; the earlier ones it comes to one by one, in executions that reverse the later ones. A
// bounded search does not: what an execution shows of the steps before it left its parent comes too
// late there (gambit, section 3.3). This tells of all of them at once.
//
// It only orders a search, so it is content with the objects of steps, and with the first
// kMaxThreads threads; what else operations depend on (wire/dependence.h) is left out.
#pragma once

#include <cstdint>

#include "base/array.h"
#include "causality/races.h"

namespace heddle::causality {

class Conflicts {
 public:
  // Of the execution that `races` has looked at; questions are for step `begin` and later.
  void look_at(const Races& races, uint32_t begin);

  bool is_later_user(uint32_t thread, uint32_t step) const {
    return thread < kMaxThreads && (others_at_[step] >> thread & 1) != 0;
  }

 private:
  static constexpr uint32_t kMaxThreads = 64;
  static constexpr uint64_t kLeastPlaces = 256;

  // The threads that use an object, after the step that the pass has come to.
  struct Users {
    uint64_t object;
    uint32_t epoch;  // of the execution; older: void
    uint64_t readers;
    uint64_t writers;
  };

  uint64_t others_of(uint64_t object, bool changes, uint64_t thread);
  Users& users_of(uint64_t object);
  void grow_table();

  Array<Users> table_;  // at most half full
  Array<Users> old_table_;
  uint32_t object_count_ = 0;
  uint32_t epoch_ = 0;
  Array<uint64_t> others_at_;  // by step: a bit for each thread
};

}  // namespace heddle::causality
