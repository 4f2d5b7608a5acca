#include "session/execution_list.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <iterator>

#include "base/error.h"

namespace heddle::session {

namespace {

constexpr char kHead[] = "fingerprint      sequence         ending failure_key steps\n";

const char* ending_name(const wire::Result& result) {
  switch (result.ending) {
    case wire::Ending::failed:
      return wire::failure_name(result.failure);
    case wire::Ending::pruned:
      return "pruned";
    case wire::Ending::redundant:
      return "redundant";
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
  FILE* file = path == "-" ? stdout : fopen(path.c_str(), "we");
  if (file == nullptr) {
    throw UserError(
        fmt::format("--list-executions {}: cannot be written: {}", path, strerror(errno)));
  }
  return std::unique_ptr<ExecutionList>(new ExecutionList(path, file));
}

void ExecutionList::begin() {
  FILE* file = file_.get();
  // Pipes and the like keep what they were given.
  if (path_ != "-" && fflush(file) == 0 && ftruncate(fileno(file), 0) == 0) rewind(file);
  if (error_ == 0 && fputs(kHead, file) < 0) error_ = errno;
}

void ExecutionList::add(const wire::Result& result) {
  if (error_ != 0) return;
  fmt::memory_buffer line;
  fmt::format_to(std::back_inserter(line), "{:016x} {:016x} {} {:016x} {}\n", result.fingerprint,
                 result.sequence, ending_name(result), result.failure_key, result.step_count);
  if (fwrite(line.data(), 1, line.size(), file_.get()) != line.size()) error_ = errno;
}

std::string ExecutionList::finish() {
  if (fflush(file_.get()) != 0 && error_ == 0) error_ = errno;
  if (error_ == 0) return "";
  return fmt::format("--list-executions {}: the list is not complete: {}", path_, strerror(error_));
}

}  // namespace heddle::session
