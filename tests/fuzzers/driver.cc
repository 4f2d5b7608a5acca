// One of the readers under libFuzzer: HEDDLE_FUZZ_TARGET says which.
#include "readers/targets.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  heddle::readers::HEDDLE_FUZZ_TARGET({data, size});
  return 0;
}
