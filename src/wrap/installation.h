// Where the wrappers find what belongs to them: all of it relative to their own executable,
//   <prefix>/bin/heddle-c++   <prefix>/lib/libheddle.so   <prefix>/include/heddle/…
// so that an installed copy may be moved and the build tree serves as one.
#pragma once

#include <string>

namespace heddle::wrap {

struct Installation {
  std::string library_dir;
  std::string runtime;    // libheddle.so
  std::string assembler;  // our `as` without these letters; empty if it has no assembler to become
  std::string engine;     // libheddle-engine.so, with heddle::check; empty if there is none
  std::string specs;      // gcc.specs
  std::string include;    // holds heddle/heddle.h; empty if there is none
};

Installation find_installation();

}  // namespace heddle::wrap
