// A file of bytes: what it is of, in plain text for those who open it, and then bytes, compressed
// with zstd, which has a checksum of its own.
#pragma once

#include <zstd.h>

#include <memory>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "trace/new_file.h"

namespace heddle::trace {

struct FileKind {
  std::string head;    // the first line, with the version
  std::string begin;   // how it begins in all versions
  std::string words;   // "saved search"
  std::string advice;  // what to do if it cannot be read
};

class CompressedWriter final : public ByteWriter {
 public:
  // Throws std::runtime_error, as all the rest.
  CompressedWriter(std::string path, const FileKind& kind);
  // Without finish(), nothing is left.
  ~CompressedWriter() override;

  void write(const void* bytes, uint64_t count) override;
  void finish();

 private:
  void compress(ZSTD_EndDirective how);

  NewFile file_;
  ZSTD_CStream* stream_;
  std::vector<char> input_;
  std::vector<char> output_;
};

class CompressedReader final : public ByteReader {
 public:
  // Reads it once to the end, to compare the checksum. Throws UserError: there is none, it is
  // something else, it is damaged, it is of another version.
  CompressedReader(std::string path, FileKind kind);
  ~CompressedReader() override;

  void read(void* bytes, uint64_t count) override;
  uint64_t left() const override { return left_; }
  [[noreturn]] void damaged() const override;

 private:
  void open();
  bool fill();  // false: the end

  std::string path_;
  FileKind kind_;
  int fd_ = -1;
  ZSTD_DStream* stream_;
  std::vector<char> compressed_;
  ZSTD_inBuffer input_{};
  std::vector<char> plain_;
  size_t place_ = 0;  // in plain_
  size_t size_ = 0;
  bool ended_ = false;  // after a whole frame
  uint64_t left_ = 0;   // bytes to be read
};

}  // namespace heddle::trace
