// See misuse.h.
#include "runtime/detect/misuse.h"

#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "runtime/detect/witness.h"
#include "runtime/ending/ending.h"
#include "runtime/schedule/scheduler.h"

namespace heddle::runtime {

namespace {

// From the root on. Of a path that is too long the end is left out.
void append_path(const Thread* thread, char* text, size_t size) {
  const Thread* parent = &g_threads[thread->parent];
  if (parent->parent != wire::kNoThread) append_path(parent, text, size);
  size_t used = strlen(text);
  snprintf(text + used, size - used, "%s%u", used == 1 ? "" : ".", thread->ordinal);
}

}  // namespace

ThreadName::ThreadName(const Thread* thread) {
  constexpr uint32_t kDepth = 50;  // so many numbers of up to four digits fit
  bool is_main = thread->parent == wire::kNoThread;
  snprintf(text, sizeof text, "%s", is_main ? "main" : "T");
  if (is_main) return;
  if (thread->depth > kDepth) {
    snprintf(text, sizeof text, "a thread");
    return;
  }
  append_path(thread, text, sizeof text);
}

ThreadName::ThreadName(uint32_t index) {
  if (index < g_run.thread_count) {
    *this = ThreadName(&g_threads[index]);
  } else {
    snprintf(text, sizeof text, "a thread of before the execution");
  }
}

void end_with_misuse(uint64_t object, uint64_t pc, const char* format, ...) {
  g_active = false;
  char message[1024] = "";
  if (g_run.detail) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    set_disputed(object);
  }
  end_with_failure(wire::Failure::misuse, pc, hash_text(format), "%s %s",
                   ThreadName(g_run.current).text, message);
}

void end_with_use_of_destroyed(const char* kind, uint64_t object, uint64_t pc) {
  end_with_misuse(object, pc, "uses %s " HEDDLE_OBJECT ", which was destroyed", kind);
}

}  // namespace heddle::runtime
