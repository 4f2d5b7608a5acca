// heddle worker: take part in searches over many machines.
#include "machines/worker.h"

#include <fmt/format.h>

#include "base/error.h"
#include "cli/arguments.h"
#include "cli/verbs.h"
#include "session/interrupt.h"

namespace heddle::cli {

int worker(const Words& words) {
  Arguments arguments = parse(options::kWorker, false, words);
  if (arguments.help) {
    fmt::print("{}", verb_help(options::kWorker));
    return 0;
  }
  session::Options options;
  arguments.apply(&options);
  if (!arguments.rest.empty()) {
    throw UserError(
        fmt::format("heddle worker takes no program, that comes with the search; leave out {}",
                    arguments.rest.front()));
  }
  if (!options.on.is_given()) {
    throw UserError("where is Redis? Type e.g. heddle worker --on redis://localhost:6379/0");
  }
  session::Interrupt interrupt;
  return machines::work(options);
}

}  // namespace heddle::cli
