// Uncaught C++ exceptions.
#pragma once

namespace heddle::runtime {

// Puts our terminate handler in place of libstdc++'s own, if the program has none.
void exceptions_begin();

}  // namespace heddle::runtime
