// What does not fit into memory: blocks of one size in a temporary file, which has no name and is
// gone with the process.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace heddle::explore {

// The disk is full, or fails. What was in memory is still there.
class SpillError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class SpillFile {
 public:
  // The file is made with the first block: in the directory, which is made if it is not there, or,
  // where that cannot be, among the system's temporary files.
  SpillFile(std::string directory, uint32_t block_bytes)
      : directory_(std::move(directory)), block_bytes_(block_bytes) {}
  ~SpillFile();
  SpillFile(const SpillFile&) = delete;
  SpillFile& operator=(const SpillFile&) = delete;

  // The number of the block, for take() and read(). Throws SpillError.
  uint32_t put(const void* block);
  void read(uint32_t number, void* block) const;
  // Reads it for the last time: its place is used again.
  void take(uint32_t number, void* block);

 private:
  void open();
  [[noreturn]] void fail(const char* what, int error) const;

  std::string directory_;
  uint32_t block_bytes_;
  int fd_ = -1;
  uint32_t end_ = 0;
  std::vector<uint32_t> free_;
};

}  // namespace heddle::explore
