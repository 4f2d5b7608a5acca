// Descriptors of the engine stay out of the low numbers: the process under test, which inherits
// some or is a fork of ours, gets those for files of its own, the same in every worker.
#pragma once

#include <fcntl.h>
#include <unistd.h>

namespace heddle {

inline constexpr int kFirstOwnDescriptor = 200;

// Closes the descriptor; what it stands for has another one, which is closed on exec. Where there
// is no other, or none is given (negative), returns it as it is.
inline int out_of_the_way(int fd) {
  int high = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, kFirstOwnDescriptor);
  if (high < 0) return fd;
  close(fd);
  return high;
}

}  // namespace heddle
