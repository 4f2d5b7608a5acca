#include "session/execution_list.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <iterator>

#include "base/error.h"

namespace heddle::session {

namespace {

constexpr size_t kBufferBytes = 65536;
constexpr char kHead[] = "fingerprint      sequence         ending failure_key steps\n";

const char* ending_name(const wire::Result& result) {
  switch (result.ending) {
    case wire::Ending::failed:
      return wire::failure_name(result.failure);
    case wire::Ending::pruned:
      return "pruned";
    case wire::Ending::redundant:
      return "redundant";
    case wire::Ending::infeasible:
      return "infeasible";
    case wire::Ending::cut:
      return "cut";
    case wire::Ending::diverged:
      return "diverged";
    case wire::Ending::unsupported:
      return "unsupported";
    default:
      return "finished";
  }
}

}  // namespace

std::unique_ptr<ExecutionList> ExecutionList::open(const Options& options) {
  const std::string& path = options.list_executions;
  if (path.empty()) return nullptr;
  if (path == "-" && options.json == "-") {
    throw UserError(
        "--list-executions - and --json - cannot both have standard output; type e.g. "
        "--list-executions list.txt");
  }
  int fd = path == "-" ? STDOUT_FILENO
                       : ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0) {
    throw UserError(
        fmt::format("--list-executions {}: cannot be written: {}", path, strerror(errno)));
  }
  return std::unique_ptr<ExecutionList>(new ExecutionList(path, fd));
}

ExecutionList::~ExecutionList() {
  if (fd_ != STDOUT_FILENO) close(fd_);
}

void ExecutionList::begin() {
  flush();
  // Pipes and the like keep what they were given.
  if (path_ != "-" && ftruncate(fd_, 0) == 0) lseek(fd_, 0, SEEK_SET);
  buffer_ += kHead;
}

void ExecutionList::add(const wire::Result& result) {
  fmt::format_to(std::back_inserter(buffer_), "{:016x} {:016x} {} {:016x} {}\n", result.fingerprint,
                 result.sequence, ending_name(result), result.failure_key, result.step_count);
  if (buffer_.size() >= kBufferBytes) flush();
}

void ExecutionList::flush() {
  for (size_t written = 0; written < buffer_.size() && error_ == 0;) {
    ssize_t count = write(fd_, buffer_.data() + written, buffer_.size() - written);
    if (count >= 0) {
      written += static_cast<size_t>(count);
    } else if (errno != EINTR) {
      error_ = errno;
    }
  }
  buffer_.clear();
}

std::string ExecutionList::finish() {
  flush();
  if (error_ == 0) return "";
  return fmt::format("--list-executions {}: the list is not complete: {}", path_, strerror(error_));
}

}  // namespace heddle::session
