// See libc_state.h.
#include "runtime/intercept/libc_state.h"

#include <getopt.h>

namespace heddle::runtime {

void libc_state_reset() {
  if (optind == 1) return;
  // What getopt keeps between its calls: 0 makes it begin anew.
  char name[] = "";
  char* no_arguments[] = {name, nullptr};
  optind = 0;
  getopt(1, no_arguments, "");
  optind = opterr = 1;
  optopt = '?';
  optarg = nullptr;
}

}  // namespace heddle::runtime
