// A file that is there when it is whole: written under a name that nobody else has, beside its
// place, and renamed. Whatever happens meanwhile, the one before it is there. A link that stands in
// its place is replaced, and never followed.
#pragma once

#include <cstdint>
#include <string>

namespace heddle::trace {

class NewFile {
 public:
  // Makes the folders that are missing. Throws std::runtime_error, as all the rest.
  explicit NewFile(std::string path);
  // Without finish(), nothing is left.
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  void write(const char* bytes, uint64_t count);
  // To its place; if wanted, when the disk has it.
  void finish(bool to_disk);

 private:
  [[noreturn]] void fail(const char* what) const;

  std::string path_;
  std::string temporary_;
  int fd_ = -1;
};

}  // namespace heddle::trace
