#include "machines/received_program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <sstream>
#include <system_error>

#include "base/error.h"

namespace heddle::machines {

namespace {

bool is_same(const std::string& path, const SentFile& file) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream content;
  content << in.rdbuf();
  return in && content.str().size() == file.size && hash_of(content.str()) == file.hash;
}

[[noreturn]] void fail(const std::string& path) {
  throw std::system_error(errno, std::generic_category(), path);
}

// Whatever is there already is not written over, and no link is followed.
void write_new(const std::string& path, const std::string& content) {
  int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0700);
  if (fd < 0) fail(path);
  size_t done = 0;
  while (done < content.size()) {
    ssize_t count = write(fd, content.data() + done, content.size() - done);
    if (count < 0 && errno != EINTR) {
      close(fd);
      fail(path);
    }
    if (count > 0) done += static_cast<size_t>(count);
  }
  if (close(fd) != 0) fail(path);
}

}  // namespace

ReceivedProgram receive(SharedSearch& shared, const Assignment& assignment,
                        const std::string& folder) {
  // With libraries of its own nobody knows yet which of this machine it would find.
  if (assignment.files.size() == 1 && is_same(assignment.path, assignment.files.front())) {
    return {assignment.path, ""};
  }
  if (mkdir(folder.c_str(), 0700) != 0) fail(folder);
  for (const SentFile& file : assignment.files) {
    std::string content = shared.file(file);
    if (content.empty()) {
      throw UserError(fmt::format("{} of the search {} has not come through Redis as it was sent",
                                  file.name, shared.id()));
    }
    write_new(folder + "/" + file.name, content);
  }
  return {folder + "/" + assignment.files.front().name, folder};
}

}  // namespace heddle::machines
