// How state is saved and read back: as plain bytes, in one order.
//
// Whoever has a state that a search needs to go on has save(ByteWriter&) and load(ByteReader&),
// which write and read the same things in the same order. load() is called once, on an object that
// is as it was made. What is saved is read by the same version of Heddle only: numbers, and
// structures without pointers, can be written as they are. Files may come from anybody, with a
// right checksum: load() checks whatever it is going to use as an index, a size or a kind
// (check()).
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
  virtual uint64_t left() const = 0;  // bytes
  // What was read cannot be what was saved.
  [[noreturn]] virtual void damaged() const = 0;
  void check(bool is_sound) const {
    if (!is_sound) damaged();
  }

  template <Plain T>
  T get() {
    T value;
    get(&value);
    return value;
  }
  template <Plain T>
  void get(T* value) {
    read(value, sizeof *value);
  }
  void get(bool* value) {
    auto byte = get<uint8_t>();
    check(byte <= 1);
    *value = byte != 0;
  }
  // A number of things of which each takes so many bytes at least.
  uint64_t get_count(uint64_t bytes = 1) {
    auto count = get<uint64_t>();
    check(count <= left() / bytes);
    return count;
  }
  template <Plain T>
  std::vector<T> get_all() {
    std::vector<T> values(get_count(sizeof(T)));
    if (!values.empty()) read(values.data(), values.size() * sizeof(T));
    return values;
  }
  std::string get_text() {
    std::string text(get_count(), '\0');
    read(text.data(), text.size());
    return text;
  }
};

}  // namespace heddle
