#include "warnings/warning.h"

#include <fmt/format.h>

namespace heddle::warnings {

std::string place_text(const Location& where) {
  if (where.column == 0) return fmt::format("{}:{}", where.file, where.line);
  return fmt::format("{}:{}:{}", where.file, where.line, where.column);
}

const char* kind_words(Kind kind) {
  switch (kind) {
    case Kind::data_race:
      return "data race";
    case Kind::lock_order:
      return "deadlock";
    case Kind::use_after_free:
      return "use after free";
    case Kind::double_free:
      return "double free";
    case Kind::null_use:
      return "use of a null pointer";
    case Kind::uninitialised:
      return "use of an uninitialised value";
    case Kind::bounds:
      return "access out of bounds";
    case Kind::locking:
      return "misuse of a lock";
    case Kind::any:
      return "failure";
  }
  return "?";
}

const char* kind_name(Kind kind) {
  switch (kind) {
    case Kind::data_race:
      return "data-race";
    case Kind::lock_order:
      return "lock-order";
    case Kind::use_after_free:
      return "use-after-free";
    case Kind::double_free:
      return "double-free";
    case Kind::null_use:
      return "null-use";
    case Kind::uninitialised:
      return "uninitialised";
    case Kind::bounds:
      return "out-of-bounds";
    case Kind::locking:
      return "locking";
    case Kind::any:
      return "failure";
  }
  return "?";
}

bool confirms(wire::Failure failure, Kind kind) {
  using wire::Failure;
  switch (kind) {
    case Kind::data_race:
      return failure == Failure::data_race;
    case Kind::lock_order:
      return failure == Failure::deadlock;
    case Kind::use_after_free:
      return failure == Failure::use_after_free || failure == Failure::double_free;
    case Kind::double_free:
      return failure == Failure::double_free || failure == Failure::use_after_free;
    case Kind::null_use:
      return failure == Failure::crash;
    case Kind::uninitialised:
      // A pointer that leads nowhere crashes; a value of which something is asserted fails there.
      return failure == Failure::crash || failure == Failure::assertion;
    case Kind::bounds:
      return failure == Failure::out_of_bounds || failure == Failure::crash;
    case Kind::locking:
      return failure == Failure::misuse || failure == Failure::deadlock;
    case Kind::any:
      return failure != Failure::none;
  }
  return false;
}

}  // namespace heddle::warnings
