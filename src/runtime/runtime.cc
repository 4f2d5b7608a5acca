// See runtime.h.
#include "runtime/runtime.h"

#include <stdio.h>
#include <unistd.h>

namespace heddle::runtime {

void internal_error(const char* message, const char* file, int line) {
  g_active = false;
  char text[512];
  int length =
      snprintf(text, sizeof text, "heddle: internal error: %s (%s:%d)\n", message, file, line);
  if (g_region != nullptr) snprintf(g_region->refusal, sizeof g_region->refusal, "%s", text);
  if (length > 0 && write(2, text, static_cast<size_t>(length)) < 0) _exit(4);
  _exit(4);
}

}  // namespace heddle::runtime
