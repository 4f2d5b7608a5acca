// How whoever reads a large file says how far it has come.
#pragma once

#include <cstdint>
#include <functional>

namespace heddle::flow {

// Called now and then, in bytes of code.
using Progress = std::function<void(uint64_t done, uint64_t total)>;

}  // namespace heddle::flow
