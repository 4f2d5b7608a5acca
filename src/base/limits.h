// Errors of the system that come from a limit, with the name of that limit.
#pragma once

#include <cerrno>
#include <string>
#include <system_error>

namespace heddle {

inline std::string words_of(const std::system_error& error) {
  std::string words = error.what();
  switch (error.code().value()) {
    case EMFILE:
      return words + "; heddle needs more open files than it may have: ulimit -n 1024";
    case ENFILE:
      return words + "; the system has no more open files: fs.file-max";
    case EAGAIN:
      return words + "; there may be no more processes: ulimit -u";
    case ENOMEM:
      return words + "; memory or address space is limited: ulimit -v unlimited";
    case ENOSPC:
    case EDQUOT:
      return words + "; the disk is full";
    case EFBIG:
      return words + "; files may not become so large: ulimit -f unlimited";
    default:
      return words;
  }
}

}  // namespace heddle
