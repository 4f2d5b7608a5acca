// A saved search in memory: written, and then read.
#pragma once

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "explore/bytes.h"

namespace heddle::explore {

class BytesInMemory final : public ByteWriter, public ByteReader {
 public:
  void write(const void* data, uint64_t count) override {
    bytes_.append(static_cast<const char*>(data), count);
  }
  void read(void* data, uint64_t count) override {
    ASSERT_LE(place_ + count, bytes_.size());
    bytes_.copy(static_cast<char*>(data), count, place_);
    place_ += count;
  }
  uint64_t left() const override { return bytes_.size() - place_; }
  [[noreturn]] void damaged() const override { throw std::runtime_error("damaged"); }
  bool all_read() const { return place_ == bytes_.size(); }

 private:
  std::string bytes_;
  uint64_t place_ = 0;
};

}  // namespace heddle::explore
