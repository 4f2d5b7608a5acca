#include "session/route.h"

#include "base/error.h"
#include "session/examiner.h"

namespace heddle::session {

trace::Route find_route(const Subject& subject, const Options& options) {
  if (options.through.empty()) return {};
  if (options.uninstrumented) {
    throw UserError(
        "--through needs a program that was built with heddle-c++; leave it out with "
        "--uninstrumented");
  }
  pool::Settings settings = settings_of(options);
  settings.show_output = 0;  // it is no execution of the search
  Examiner examiner(subject.launch, settings);
  std::optional<Examined> shown = examiner.run(Rerun(), true);
  if (!shown.has_value()) return {};
  return trace::find_route(shown->modules, options.through);
}

}  // namespace heddle::session
