// See before.h.
#include "runtime/before.h"

#include <dlfcn.h>
#include <errno.h>

namespace heddle::runtime {

namespace {

struct Record {
  void* address;
  const char* name;
};

}  // namespace

extern "C" {
// Made by the linker.
extern Record __start_heddle_before[] __attribute__((visibility("hidden")));
extern Record __stop_heddle_before[] __attribute__((visibility("hidden")));

__attribute__((visibility("hidden"), used)) void heddle_look(const Call& call,
                                                             void (*look)(const Call&)) {
  int error = errno;
  libc_is_called();
  look(call);
  errno = error;
}

HEDDLE_LOOK(heddle_find) {
  auto* record = reinterpret_cast<Record*>(call.pc);
  record->address = dlsym(RTLD_NEXT, record->name);
  if (record->address != nullptr) return;
  void* library = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_NOLOAD);
  if (library != nullptr) record->address = dlsym(library, record->name);
}
}

namespace {

__attribute__((constructor(101))) void find_all() {
  for (Record* record = __start_heddle_before; record != __stop_heddle_before; ++record) {
    if (void* found = dlsym(RTLD_NEXT, record->name)) record->address = found;
  }
}

}  // namespace

}  // namespace heddle::runtime
