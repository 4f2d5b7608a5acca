// While it lives, this process can make no file larger than so many bytes: what stands for a disk
// that is full.
#pragma once

#include <signal.h>
#include <sys/resource.h>

namespace heddle {

class SmallFiles {
 public:
  explicit SmallFiles(rlim_t bytes) {
    handler_ = signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before_);
    rlimit limit = before_;
    limit.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~SmallFiles() {
    setrlimit(RLIMIT_FSIZE, &before_);
    signal(SIGXFSZ, handler_);
  }
  SmallFiles(const SmallFiles&) = delete;
  SmallFiles& operator=(const SmallFiles&) = delete;

 private:
  rlimit before_{};
  sighandler_t handler_;
};

}  // namespace heddle
