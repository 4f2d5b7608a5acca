#include "explore/spill_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace heddle::explore {

namespace {

int open_in(const std::string& directory) {
  int fd = ::open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (fd >= 0) return fd;
  std::string name =
      directory + "/heddle-XXXXXX";  // where the file system has no files without one
  fd = mkostemp(name.data(), O_CLOEXEC);
  if (fd >= 0) unlink(name.c_str());
  return fd;
}

}  // namespace

SpillFile::~SpillFile() {
  if (fd_ >= 0) close(fd_);
}

void SpillFile::fail(const char* what, int error) const {
  throw SpillError(fmt::format("{}: {}", what, strerror(error)));
}

void SpillFile::open() {
  std::error_code ignored;
  std::filesystem::create_directories(directory_, ignored);
  fd_ = open_in(directory_);
  if (fd_ < 0) {
    const char* temporary = getenv("TMPDIR");
    fd_ = open_in(temporary != nullptr && *temporary != '\0' ? temporary : "/tmp");
  }
  if (fd_ < 0) fail("no temporary file can be made", errno);
}

uint32_t SpillFile::put(const void* block) {
  if (fd_ < 0) open();
  uint32_t number = free_.empty() ? end_ : free_.back();
  auto offset = static_cast<off_t>(uint64_t{number} * block_bytes_);
  ssize_t written = pwrite(fd_, block, block_bytes_, offset);
  if (written < 0) fail("a temporary file cannot be written", errno);
  if (written < static_cast<ssize_t>(block_bytes_)) {
    fail("a temporary file cannot be written", ENOSPC);
  }
  if (free_.empty()) {
    ++end_;
  } else {
    free_.pop_back();
  }
  return number;
}

void SpillFile::read(uint32_t number, void* block) const {
  auto offset = static_cast<off_t>(uint64_t{number} * block_bytes_);
  ssize_t got = pread(fd_, block, block_bytes_, offset);
  if (got < static_cast<ssize_t>(block_bytes_)) {
    fail("a temporary file cannot be read", got < 0 ? errno : EIO);
  }
}

void SpillFile::take(uint32_t number, void* block) {
  read(number, block);
  free_.push_back(number);
}

}  // namespace heddle::explore
