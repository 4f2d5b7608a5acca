// Libraries that the program loads itself.
#include <dlfcn.h>

#include "runtime/carrier/tls.h"
#include "runtime/ending/ending.h"
#include "runtime/isolate/snapshot.h"
#include "runtime/real.h"

using namespace heddle::runtime;

// A library that is loaded stays loaded: the snapshot does not know it, and its constructors run
// once only.
HEDDLE_EXPORT void* dlopen(const char* file, int mode) {
  if (!g_active) return HEDDLE_REAL(dlopen)(file, mode);
  void* handle = HEDDLE_REAL(dlopen)(file, mode | RTLD_NOLOAD);
  if (handle != nullptr) return handle;
  if (g_region->config.isolation == heddle::wire::Isolation::snapshot) {
    end_unsupported("dlopen of a library that is not loaded yet", HEDDLE_CALLER,
                    "--isolation fork permits it; so does linking with the library");
  }
  g_active = false;  // its constructors are not under control
  handle = HEDDLE_REAL(dlopen)(file, mode);
  tls_note_modules();
  snapshot_note_module();
  g_active = true;
  return handle;
}
