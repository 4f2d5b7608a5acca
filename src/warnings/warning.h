// What other tools warn of, as values: places in the source, and the orders in which threads have
// to come to them for the warning to come true.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "wire/kinds.h"

namespace heddle::warnings {

// As the tool says it: a file may be relative, or a bare name (Helgrind's are). Column 0 and an
// empty function are not known.
struct Location {
  std::string file;
  uint32_t line = 0;
  uint32_t column = 0;
  std::string function;

  bool operator==(const Location&) const = default;
};

// "queue.cc:12", with the column if there is one.
std::string place_text(const Location& where);

// What a run has to come to for the warning to be confirmed.
enum class Kind : uint8_t {
  data_race,
  lock_order,      // a deadlock
  use_after_free,  // also of an object whose lifetime has ended
  double_free,
  null_use,
  uninitialised,  // a value that nobody has stored yet
  bounds,         // an access outside of its object
  locking,  // a lock that is misused: unlocked twice, locked twice, destroyed while it is held
  any,      // the tool does not say what comes of it: whatever fails at its places
};

// "data race", "deadlock": for people.
const char* kind_words(Kind kind);
// "data-race", "lock-order": for scripts, and the rule of a result in SARIF that names no rule
// itself.
const char* kind_name(Kind kind);
// A failure of this kind, at the warning's places, confirms the warning.
bool confirms(wire::Failure failure, Kind kind);

using Sequence = std::vector<Location>;

struct Warning {
  std::string tool;  // "ThreadSanitizer", "Helgrind", "Clang thread safety", "clang-tidy",
                     // "cppcheck", or what a SARIF file names
  std::string rule;  // the tool's own name for it, where it has one
  Kind kind = Kind::data_race;
  std::string message;  // one line
  Location where;       // the primary place
  // Each is to be tried: places that threads pass in this order. A race: the two accesses, in both
  // orders. A cycle of locks: where each thread takes its first, then where each takes its second.
  // Use after free: free, use. Null: where it is stored or assumed, where it is used. Never empty,
  // and no sequence is.
  std::vector<Sequence> sequences;
  // A failure confirms the warning only if it is at all of these: call stacks of it, or of its
  // threads, go through them. Both accesses of a race, but the warned one alone where the tool
  // knows no other; the free and the use; where the threads of a deadlock wait. Lines only: columns
  // of a call stack may differ.
  std::vector<Location> needed;
  uint32_t line = 0;              // of the report, where the warning begins
  std::vector<uint32_t> repeats;  // lines of the report where the same is said again
};

}  // namespace heddle::warnings
