#include "session/saved_file.h"

#include <fmt/format.h>

#include "wire/layout.h"

namespace heddle::session {

namespace {

// Raised with every change to what is saved, or to its order.
constexpr int kFormat = 14;

}  // namespace

// The version of the wire is that of steps and plans.
trace::FileKind saved_search_kind() {
  return {fmt::format("heddle saved search {}, of heddle {} ({})\n", kFormat, HEDDLE_VERSION,
                      wire::kVersion),
          "heddle saved search ", "saved search", "leave out --resume to begin anew"};
}

}  // namespace heddle::session
