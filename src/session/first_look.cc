#include "session/first_look.h"

#include <fmt/format.h>

#include "base/error.h"

namespace heddle::session {

void need_instrumented(const Options& options, const char* option) {
  if (!options.uninstrumented) return;
  throw UserError(
      fmt::format("--{} needs a program that was built with heddle-c++; leave it out with "
                  "--uninstrumented",
                  option));
}

std::optional<Examined> first_look(const Subject& subject, const Options& options) {
  pool::Settings settings = settings_of(options);
  settings.show_output = 0;
  Examiner examiner(subject.launch, settings);
  return examiner.run(Rerun(), true);
}

}  // namespace heddle::session
