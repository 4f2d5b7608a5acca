// See names.h.
#include "runtime/record/names.h"

#include <stdio.h>
#include <string.h>

#include "runtime/run.h"

namespace heddle::runtime {

uint32_t g_name_count;
uint64_t g_names_generation;

namespace {

struct Named {
  uint64_t address;
  uint64_t size;
  bool in_focus;
  wire::NamedObject* shown;  // null: there are no details, or no room for it
};
Named g_named[wire::kMaxNames];

constexpr uint32_t kNamedThreads = 4096;
char g_thread_names[kNamedThreads][wire::kThreadNameBytes];
uint32_t g_named_threads;  // those from this number on have none

bool is_in_focus(const char* name) {
  const char* at = g_region->places.names;
  for (; *at != '\0'; at += strlen(at) + 1) {
    if (strcmp(at, name) == 0) return true;
  }
  return false;
}

bool overlap(const Named& named, uint64_t address, uint64_t size) {
  return named.address < address + size && address < named.address + named.size;
}

// For the report of an execution that is shown: also of names that hold no more.
wire::NamedObject* show(uint64_t address, uint64_t size, const char* name) {
  wire::Detail* detail = wire::detail(g_region);
  if (!g_run.detail || detail->name_count >= wire::kMaxNames) return nullptr;
  wire::NamedObject* shown = &detail->names[detail->name_count++];
  shown->address = address;
  shown->size = size;
  shown->begin = g_run.step;
  shown->end = wire::kNoStep;
  strncpy(shown->name, name, sizeof shown->name - 1);
  shown->name[sizeof shown->name - 1] = '\0';
  return shown;
}

}  // namespace

void name_object(uint64_t address, uint64_t size, const char* name) {
  names_forget(address, size);
  if (g_name_count == wire::kMaxNames) return;
  ++g_names_generation;
  g_named[g_name_count++] = {address, size, is_in_focus(name), show(address, size, name)};
}

bool has_name(uint64_t address) {
  for (uint32_t i = 0; i < g_name_count; ++i) {
    if (overlap(g_named[i], address, 1)) return true;
  }
  return false;
}

bool has_name_in_focus(uint64_t address) {
  for (uint32_t i = 0; i < g_name_count; ++i) {
    if (g_named[i].in_focus && overlap(g_named[i], address, 1)) return true;
  }
  return false;
}

void names_forget_slow(uint64_t address, uint64_t size) {
  for (uint32_t i = g_name_count; i-- > 0;) {
    if (!overlap(g_named[i], address, size)) continue;
    ++g_names_generation;
    if (g_named[i].shown != nullptr) g_named[i].shown->end = g_run.step;
    g_named[i] = g_named[--g_name_count];
  }
}

void names_reset() {
  g_named_threads = 0;
  g_name_count = 0;
  ++g_names_generation;
}

void name_thread(const Thread* thread, const char* name) {
  if (thread->index >= kNamedThreads) return;
  for (; g_named_threads <= thread->index; ++g_named_threads) {
    g_thread_names[g_named_threads][0] = '\0';
  }
  snprintf(g_thread_names[thread->index], sizeof g_thread_names[0], "%s", name);
}

const char* name_of_thread(const Thread* thread) {
  return thread->index < g_named_threads ? g_thread_names[thread->index] : "";
}

}  // namespace heddle::runtime
