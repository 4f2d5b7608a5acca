#include "session/system_limits.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <vector>

#include "base/error.h"

namespace heddle::session {

namespace {

// A region and the program's output for each worker, and for the one that looks at failures again;
// files that are read and written meanwhile, and what the program's loader opens.
constexpr uint32_t kFilesOfWorker = 2;
constexpr uint32_t kOtherFiles = 12;

// How many more files may be opened, up to `wanted`.
uint32_t files_left(uint32_t wanted) {
  std::vector<int> opened;
  while (opened.size() < wanted) {
    int fd = open("/", O_PATH | O_CLOEXEC);
    if (fd < 0) break;
    opened.push_back(fd);
  }
  for (int fd : opened) close(fd);
  return static_cast<uint32_t>(opened.size());
}

}  // namespace

rlim_t limit_of(decltype(RLIMIT_AS) what) {
  rlimit limit{};
  getrlimit(what, &limit);
  return limit.rlim_cur;
}

void require_limits(uint32_t workers) {
  if (access("/proc/self/maps", R_OK) != 0) {
    throw UserError(
        "there is no /proc, where Heddle looks what is loaded and what runs; type: mount -t proc "
        "proc /proc");
  }
  if (limit_of(RLIMIT_AS) < kAddressSpace) {
    throw UserError(fmt::format(
        "the address space is limited to {} KB (RLIMIT_AS), and Heddle reserves more than that, "
        "though it uses little; type: ulimit -v unlimited",
        limit_of(RLIMIT_AS) >> 10));
  }
  if (limit_of(RLIMIT_STACK) < kSmallStack) {
    throw UserError(
        fmt::format("the stack is limited to {} KB (RLIMIT_STACK), and Heddle needs {} KB; type: "
                    "ulimit -s 8192",
                    limit_of(RLIMIT_STACK) >> 10, kSmallStack >> 10));
  }
  uint32_t wanted = kFilesOfWorker * workers + kOtherFiles;
  uint32_t left = files_left(wanted);
  if (left < wanted) {
    throw UserError(fmt::format(
        "no more than {} files may be open (RLIMIT_NOFILE), {} of them are left, and "
        "Heddle needs {}; type: ulimit -n 1024{}",
        limit_of(RLIMIT_NOFILE), left, wanted, workers > 1 ? ", or give fewer --jobs" : ""));
  }
}

}  // namespace heddle::session
