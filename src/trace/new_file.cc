#include "trace/new_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "base/error.h"

namespace heddle::trace {

NewFile::NewFile(std::string path) : path_(std::move(path)), temporary_(path_ + ".XXXXXX") {
  std::filesystem::path folder = std::filesystem::path(path_).parent_path();
  std::error_code error;
  if (!folder.empty()) std::filesystem::create_directories(folder, error);
  if (error) {
    throw UserError(fmt::format("cannot make the directory {}: {}; choose another with --out",
                                folder.string(), error.message()));
  }
  fd_ = mkostemp(temporary_.data(), O_CLOEXEC);
  if (fd_ < 0) fail("write to");
}

NewFile::~NewFile() {
  if (fd_ < 0) return;
  close(fd_);
  unlink(temporary_.c_str());
}

void NewFile::fail(const char* what) const {
  throw UserError(fmt::format("cannot {} {}: {}", what, path_, std::strerror(errno)));
}

void NewFile::write(const char* bytes, uint64_t count) {
  while (count > 0) {
    ssize_t written = ::write(fd_, bytes, count);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) fail("write");
    bytes += written;
    count -= static_cast<uint64_t>(written);
  }
}

void NewFile::finish(bool to_disk) {
  // mkostemp lets only the owner read; ours are shared like any source file.
  mode_t mask = umask(0);
  umask(mask);
  if (fchmod(fd_, 0666 & ~mask) != 0) fail("write");
  if (to_disk && fsync(fd_) != 0 && errno != EINVAL) fail("bring to the disk");
  if (rename(temporary_.c_str(), path_.c_str()) != 0) fail("write");
  close(fd_);
  fd_ = -1;
}

}  // namespace heddle::trace
