#include "session/state_list.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iterator>

#include "base/error.h"

namespace heddle::session {

namespace {

constexpr char kHead[] = "execution step state\n";

bool write(FILE* file, std::string_view text) {
  return fwrite(text.data(), 1, text.size(), file) == text.size();
}

bool write_states(FILE* file, const explore::StateSet& states) {
  if (!write(file, kHead)) return false;
  fmt::memory_buffer line;
  for (uint64_t i = 0; i < states.size(); ++i) {
    explore::StateSet::State state = states.state(i);
    line.clear();
    fmt::format_to(std::back_inserter(line), "{} {} ", state.execution, state.step);
    for (char byte : state.bytes) {
      fmt::format_to(std::back_inserter(line), "{:02x}", static_cast<unsigned char>(byte));
    }
    line.push_back('\n');
    if (!write(file, {line.data(), line.size()})) return false;
  }
  return fflush(file) == 0;
}

}  // namespace

void check_state_list(const Options& options) {
  const std::string& path = options.list_states;
  if (path.empty()) return;
  if (path == "-") {
    const char* other = options.json == "-"              ? "--json"
                        : options.list_executions == "-" ? "--list-executions"
                                                         : nullptr;
    if (other == nullptr) return;
    throw UserError(
        fmt::format("--list-states - and {} - cannot both have standard output; type e.g. "
                    "--list-states states.txt",
                    other));
  }
  int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (fd < 0) {
    throw UserError(fmt::format("--list-states {}: cannot be written: {}", path, strerror(errno)));
  }
  close(fd);
}

std::string write_state_list(const Options& options, const explore::StateSet& states) {
  const std::string& path = options.list_states;
  if (path.empty()) return "";
  FILE* file = path == "-" ? stdout : fopen(path.c_str(), "we");
  bool written = file != nullptr && write_states(file, states);
  int error = errno;
  if (file != nullptr && file != stdout) fclose(file);
  if (written) return "";
  return fmt::format("--list-states {}: the list is not complete: {}", path, strerror(error));
}

}  // namespace heddle::session
