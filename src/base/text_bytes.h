// Bytes that are saved (bytes.h) in a string instead of a file.
#pragma once

#include <cstring>
#include <string>
#include <utility>

#include "base/bytes.h"
#include "base/error.h"

namespace heddle {

class ToText final : public ByteWriter {
 public:
  void write(const void* bytes, uint64_t count) override {
    if (count != 0) text.append(static_cast<const char*>(bytes), count);
  }
  std::string text;
};

class FromText final : public ByteReader {
 public:
  // The text must outlive it. Of what is damaged says UserError `sentence`.
  FromText(const std::string& text, std::string sentence)
      : text_(text), sentence_(std::move(sentence)) {}

  void read(void* bytes, uint64_t count) override {
    check(count <= left());
    if (count != 0) std::memcpy(bytes, text_.data() + done_, count);
    done_ += count;
  }
  uint64_t left() const override { return text_.size() - done_; }
  [[noreturn]] void damaged() const override { throw UserError(sentence_); }

 private:
  const std::string& text_;
  std::string sentence_;
  uint64_t done_ = 0;
};

}  // namespace heddle
