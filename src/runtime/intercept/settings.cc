// Settings of the process that libc, libstdc++ and the kernel keep: the environment, the locale,
// the place where strtok goes on, the results that localtime and its kin return pointers to,
// handlers, limits. See detect/outside.h.
#include "runtime/before.h"
#include "runtime/detect/outside.h"
#include "runtime/isolate/leftovers.h"
#include "runtime/isolate/modules.h"
#include "runtime/isolate/snapshot.h"

using namespace heddle::runtime;

HEDDLE_LOOK(heddle_reads_environment) { touch_outside(&environment, false, call.pc); }
HEDDLE_LOOK(heddle_changes_environment) { touch_outside(&environment, true, call.pc); }

HEDDLE_BEFORE(getenv, heddle_reads_environment)
HEDDLE_BEFORE(secure_getenv, heddle_reads_environment)
HEDDLE_BEFORE_AND(setenv, heddle_changes_environment, HEDDLE_NOTE_ENVIRONMENT)
HEDDLE_BEFORE_AND(unsetenv, heddle_changes_environment, HEDDLE_NOTE_ENVIRONMENT)
HEDDLE_BEFORE_AND(putenv, heddle_changes_environment, HEDDLE_NOTE_ENVIRONMENT)
HEDDLE_BEFORE_AND(clearenv, heddle_changes_environment, HEDDLE_NOTE_ENVIRONMENT)

HEDDLE_LOOK(heddle_reads_locale) { touch_outside(&locale_settings, false, call.pc); }

// "" stands for what the environment says; no name asks for the present one.
HEDDLE_LOOK(heddle_setlocale) {
  const char* name = call.text(1);
  if (name == nullptr) return touch_outside(&locale_settings, false, call.pc);
  if (name[0] != '\0') return touch_outside(&locale_settings, true, call.pc);
  touch_outside({changes(&locale_settings), reads(&environment)}, call.pc);
}

HEDDLE_BEFORE(setlocale, heddle_setlocale)
HEDDLE_BEFORE(localeconv, heddle_reads_locale)
HEDDLE_BEFORE(nl_langinfo, heddle_reads_locale)

HEDDLE_LOOK(heddle_strtok) { touch_outside(&tokenizer, true, call.pc); }

HEDDLE_BEFORE(strtok, heddle_strtok)

HEDDLE_LOOK(heddle_calendar) { touch_outside(&calendar, true, call.pc); }
HEDDLE_LOOK(heddle_local_calendar) {
  touch_outside({changes(&calendar), reads(&environment)}, call.pc);  // TZ
}

HEDDLE_BEFORE(gmtime, heddle_calendar)
HEDDLE_BEFORE(asctime, heddle_calendar)
HEDDLE_BEFORE(localtime, heddle_local_calendar)
HEDDLE_BEFORE(ctime, heddle_local_calendar)

// They go by TZ.
HEDDLE_BEFORE(tzset, heddle_reads_environment)
HEDDLE_BEFORE(mktime, heddle_reads_environment)
HEDDLE_BEFORE(timelocal, heddle_reads_environment)
HEDDLE_BEFORE(localtime_r, heddle_reads_environment)
HEDDLE_BEFORE(ctime_r, heddle_reads_environment)

// Not those of libstdc++ itself, which asks for handlers whenever something is thrown.
static void touch_library_settings(const Call& call, bool changes) {
  if (!in_libstdcxx(call.pc)) touch_library(&library_settings, changes, call.pc);
}

HEDDLE_LOOK(heddle_reads_library) { touch_library_settings(call, false); }
HEDDLE_LOOK(heddle_changes_library) { touch_library_settings(call, true); }

// std::get_terminate, set_terminate, get_new_handler, set_new_handler.
HEDDLE_BEFORE(_ZSt13get_terminatev, heddle_reads_library)
HEDDLE_BEFORE(_ZSt13set_terminatePFvvE, heddle_changes_library)
HEDDLE_BEFORE(_ZSt15get_new_handlerv, heddle_reads_library)
HEDDLE_BEFORE(_ZSt15set_new_handlerPFvvE, heddle_changes_library)
// std::pmr::get_default_resource, set_default_resource.
HEDDLE_BEFORE(_ZNSt3pmr20get_default_resourceEv, heddle_reads_library)
HEDDLE_BEFORE(_ZNSt3pmr20set_default_resourceEPNS_15memory_resourceE, heddle_changes_library)

HEDDLE_LOOK(heddle_reads_settings) { touch_outside(&process_settings, false, call.pc); }
HEDDLE_LOOK(heddle_changes_settings) { touch_outside(&process_settings, true, call.pc); }
HEDDLE_LOOK(heddle_getrlimit) {
  touch_outside(&process_settings, false, call.pc);
  snapshot_open();
}
// New limits, or none, and where the old ones go.
HEDDLE_LOOK(heddle_prlimit) {
  touch_outside(&process_settings, call.pointer<void>(2) != nullptr, call.pc);
  snapshot_open();
}

HEDDLE_BEFORE(umask, heddle_changes_settings)
HEDDLE_BEFORE(nice, heddle_changes_settings)
HEDDLE_BEFORE(getpriority, heddle_reads_settings)
HEDDLE_BEFORE(setpriority, heddle_changes_settings)
HEDDLE_BEFORE(getrlimit, heddle_getrlimit)
HEDDLE_BEFORE(getrlimit64, heddle_getrlimit)
HEDDLE_BEFORE(setrlimit, heddle_changes_settings)
HEDDLE_BEFORE(setrlimit64, heddle_changes_settings)
HEDDLE_BEFORE(prlimit, heddle_prlimit)
HEDDLE_BEFORE(prlimit64, heddle_prlimit)
// One thread may set them for another.
HEDDLE_BEFORE(pthread_getname_np, heddle_reads_settings)
HEDDLE_BEFORE(pthread_setname_np, heddle_changes_settings)
HEDDLE_BEFORE(pthread_getschedparam, heddle_reads_settings)
HEDDLE_BEFORE(pthread_setschedparam, heddle_changes_settings)
HEDDLE_BEFORE(pthread_setschedprio, heddle_changes_settings)
HEDDLE_BEFORE(pthread_getaffinity_np, heddle_reads_settings)
HEDDLE_BEFORE(pthread_setaffinity_np, heddle_changes_settings)
