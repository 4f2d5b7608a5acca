// Thread-specific data: pthread_key_create and its kin.
#pragma once

#include "runtime/thread.h"

namespace heddle::runtime {

// The destructors of the thread's values, as pthread_key_create(3) says: again while there are
// values, a few times.
void run_key_destructors(Thread* thread);
void keys_reset();

}  // namespace heddle::runtime
