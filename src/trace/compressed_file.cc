#include "trace/compressed_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/check.h"
#include "base/error.h"

namespace heddle::trace {

namespace {

constexpr size_t kBuffer = 1 << 17;

}  // namespace

CompressedWriter::CompressedWriter(std::string path, const FileKind& kind)
    : file_(std::move(path)), stream_(ZSTD_createCStream()) {
  HEDDLE_CHECK(stream_ != nullptr);
  ZSTD_CCtx_setParameter(stream_, ZSTD_c_compressionLevel, 1);
  ZSTD_CCtx_setParameter(stream_, ZSTD_c_checksumFlag, 1);
  input_.reserve(kBuffer);
  output_.resize(ZSTD_CStreamOutSize());
  file_.write(kind.head.data(), kind.head.size());
}

CompressedWriter::~CompressedWriter() { ZSTD_freeCStream(stream_); }

void CompressedWriter::write(const void* bytes, uint64_t count) {
  const char* from = static_cast<const char*>(bytes);
  while (count > 0) {
    uint64_t part = std::min<uint64_t>(count, kBuffer - input_.size());
    input_.insert(input_.end(), from, from + part);
    from += part;
    count -= part;
    if (input_.size() == kBuffer) compress(ZSTD_e_continue);
  }
}

void CompressedWriter::compress(ZSTD_EndDirective how) {
  ZSTD_inBuffer input{input_.data(), input_.size(), 0};
  size_t left;
  do {
    ZSTD_outBuffer output{output_.data(), output_.size(), 0};
    left = ZSTD_compressStream2(stream_, &output, &input, how);
    HEDDLE_CHECK(ZSTD_isError(left) == 0);
    file_.write(output_.data(), output.pos);
  } while (how == ZSTD_e_end ? left != 0 : input.pos < input.size);
  input_.clear();
}

void CompressedWriter::finish() {
  compress(ZSTD_e_end);
  file_.finish(true);
}

CompressedReader::CompressedReader(std::string path, FileKind kind)
    : path_(std::move(path)), kind_(std::move(kind)), stream_(ZSTD_createDStream()) {
  HEDDLE_CHECK(stream_ != nullptr);
  compressed_.resize(kBuffer);
  plain_.resize(kBuffer);
  try {
    open();
    uint64_t bytes = 0;
    while (fill()) bytes += size_;
    close(fd_);
    open();
    left_ = bytes;
  } catch (...) {
    ZSTD_freeDStream(stream_);
    if (fd_ >= 0) close(fd_);
    throw;
  }
}

CompressedReader::~CompressedReader() {
  ZSTD_freeDStream(stream_);
  close(fd_);
}

void CompressedReader::damaged() const {
  throw UserError(fmt::format("{} is damaged; {}", path_, kind_.advice));
}

void CompressedReader::open() {
  fd_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd_ < 0) {
    if (errno != ENOENT) throw UserError(fmt::format("{}: {}", path_, strerror(errno)));
    throw UserError(fmt::format("there is no {} {}; {}", kind_.words, path_, kind_.advice));
  }
  std::string text(kind_.head.size(), '\0');
  ssize_t got = ::read(fd_, text.data(), text.size());
  text.resize(static_cast<size_t>(std::max<ssize_t>(got, 0)));
  if (!text.starts_with(kind_.begin)) {
    throw UserError(fmt::format("{} is no {}; {}", path_, kind_.words, kind_.advice));
  }
  if (text != kind_.head) {
    std::string first_line = text.substr(0, text.find('\n'));
    throw UserError(fmt::format("{} was saved by another version of heddle ({}); {}", path_,
                                first_line, kind_.advice));
  }
  ZSTD_initDStream(stream_);
  input_ = {compressed_.data(), 0, 0};
  place_ = size_ = 0;
  ended_ = false;
}

bool CompressedReader::fill() {
  place_ = size_ = 0;
  while (size_ == 0) {
    if (input_.pos == input_.size) {
      ssize_t got = ::read(fd_, compressed_.data(), compressed_.size());
      if (got < 0) damaged();
      if (got == 0) {
        if (!ended_) damaged();
        return false;
      }
      input_ = {compressed_.data(), static_cast<size_t>(got), 0};
    }
    if (ended_) damaged();  // something stands behind it
    ZSTD_outBuffer output{plain_.data(), plain_.size(), 0};
    size_t left = ZSTD_decompressStream(stream_, &output, &input_);
    if (ZSTD_isError(left) != 0) damaged();
    ended_ = left == 0;
    size_ = output.pos;
  }
  return true;
}

void CompressedReader::read(void* bytes, uint64_t count) {
  if (count > left_) damaged();
  left_ -= count;
  char* to = static_cast<char*>(bytes);
  while (count > 0) {
    if (place_ == size_ && !fill()) damaged();
    uint64_t part = std::min<uint64_t>(count, size_ - place_);
    std::memcpy(to, plain_.data() + place_, part);
    to += part;
    place_ += part;
    count -= part;
  }
}

}  // namespace heddle::trace
