// Settings of the process that libc keeps: the environment, the locale, the place where strtok goes
// on, and the results that localtime and its kin return pointers to. See detect/outside.h.
#include "runtime/before.h"
#include "runtime/detect/outside.h"
#include "runtime/isolate/leftovers.h"

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
