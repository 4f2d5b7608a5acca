#include "runtime/run.h"

namespace heddle::runtime {

Run g_run;
Thread g_threads[wire::kMaxThreads + 1];
bool g_spurious;
bool g_in_state;

}  // namespace heddle::runtime
