// See arguments.h.
#include "runtime/isolate/arguments.h"

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/fill.h"
#include "runtime/real.h"
#include "runtime/runtime.h"

namespace heddle::runtime {

namespace {

int g_count;
char** g_list;
char** g_kept;  // the list, and behind it its words, one after the other

uint64_t list_bytes() { return (static_cast<uint64_t>(g_count) + 1) * sizeof(char*); }
char* kept_words() { return reinterpret_cast<char*>(g_kept) + list_bytes(); }

}  // namespace

void arguments_begin(int count, char** list) {
  uint64_t bytes = 0;
  for (int i = 0; i < count; ++i) bytes += strlen(list[i]) + 1;
  g_count = count;
  bytes += list_bytes();
  void* memory =
      HEDDLE_REAL(mmap)(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return;
  g_list = list;
  g_kept = static_cast<char**>(memory);
  memcpy(g_kept, list, list_bytes());
  char* words = kept_words();
  for (int i = 0; i < count; ++i) words = stpcpy(words, list[i]) + 1;
}

void arguments_set_back() {
  if (g_list == nullptr) return;
  copy(g_list, g_kept, list_bytes());
  const char* words = kept_words();
  for (int i = 0; i < g_count; ++i) {
    uint64_t bytes = HEDDLE_REAL(strlen)(words) + 1;
    copy(g_list[i], words, bytes);
    words += bytes;
  }
}

}  // namespace heddle::runtime
