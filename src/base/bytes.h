// How state is saved and read back: as plain bytes, in one order.
//
// Whoever has a state that a search needs to go on has save(ByteWriter&) and load(ByteReader&),
// which write and read the same things in the same order. load() is called once, on an object that
// is as it was made. What is saved is read by the same version of Heddle only, and its checksum has
// been compared before: numbers, and structures without pointers, can be written as they are.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace heddle {

template <typename T>
concept Plain = std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>;

class ByteWriter {
 public:
  virtual ~ByteWriter() = default;
  virtual void write(const void* bytes, uint64_t count) = 0;

  template <Plain T>
  void put(const T& value) {
    write(&value, sizeof value);
  }
  template <Plain T>
  void put_all(const std::vector<T>& values) {
    put<uint64_t>(values.size());
    write(values.data(), values.size() * sizeof(T));
  }
  void put_text(const std::string& text) {
    put<uint64_t>(text.size());
    write(text.data(), text.size());
  }
};

class ByteReader {
 public:
  virtual ~ByteReader() = default;
  virtual void read(void* bytes, uint64_t count) = 0;

  template <Plain T>
  T get() {
    T value;
    read(&value, sizeof value);
    return value;
  }
  template <Plain T>
  void get(T* value) {
    read(value, sizeof *value);
  }
  template <Plain T>
  std::vector<T> get_all() {
    std::vector<T> values(get<uint64_t>());
    read(values.data(), values.size() * sizeof(T));
    return values;
  }
  std::string get_text() {
    std::string text(get<uint64_t>(), '\0');
    read(text.data(), text.size());
    return text;
  }
};

}  // namespace heddle
