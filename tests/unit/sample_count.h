// How many random samples a test takes, or how large they are: less in `./dev test`, all in `./dev
// test --all`.
#pragma once

#include <cstdlib>

namespace heddle {

inline int sample_count(int everyday, int all) {
  return std::getenv("HEDDLE_ALL_SAMPLES") != nullptr ? all : everyday;
}

}  // namespace heddle
