// The semaphores that an execution has opened by name.
#pragma once

namespace heddle::runtime {

void named_semaphores_reset();

}  // namespace heddle::runtime
