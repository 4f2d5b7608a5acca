// What the system permits this process: looked at before a search or a replay begins, so that what
// is too little is told by the name of its limit, not by whatever goes wrong first.
#pragma once

#include <sys/resource.h>

#include <cstdint>

namespace heddle::session {

// The engine reads debug information and prints reports with it.
inline constexpr rlim_t kSmallStack = 512 * 1024;
// A program under control reserves addresses for its heap, its stacks and the race detector.
inline constexpr rlim_t kAddressSpace = rlim_t{9} << 40;

// The one that holds now.
rlim_t limit_of(decltype(RLIMIT_AS) what);

// Throws UserError where a search with so many workers could not work.
void require_limits(uint32_t workers);

}  // namespace heddle::session
