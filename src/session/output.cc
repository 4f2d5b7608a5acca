#include "session/output.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/error.h"

namespace heddle::session {

namespace {

[[noreturn]] void cannot_write(const std::string& path, int error) {
  throw UserError(fmt::format("--json {}: cannot be written: {}", path, strerror(error)));
}

void write_all(FILE* stream, const std::string& text, const std::string& path) {
  bool written = fwrite(text.data(), 1, text.size(), stream) == text.size() && fflush(stream) == 0;
  if (!written) cannot_write(path, errno);
}

FILE* report_stream(const Options& options) {
  bool taken = options.json == "-" || options.list_executions == "-" || options.list_states == "-";
  return taken ? stderr : stdout;
}

}  // namespace

void check_json_file(const Options& options) {
  if (options.json.empty() || options.json == "-") return;
  int fd = open(options.json.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (fd < 0) cannot_write(options.json, errno);
  close(fd);
}

void write_json(const Options& options, const std::function<std::string()>& json) {
  if (options.json.empty()) return;
  std::string text = json();
  if (options.json == "-") {
    write_all(stdout, text, "-");
    return;
  }
  FILE* file = fopen(options.json.c_str(), "we");
  if (file == nullptr) cannot_write(options.json, errno);
  try {
    write_all(file, text, options.json);
  } catch (...) {
    fclose(file);
    throw;
  }
  fclose(file);
}

void print_report(const Options& options, const std::string& text) {
  FILE* stream = report_stream(options);
  fwrite(text.data(), 1, text.size(), stream);
  fflush(stream);
}

bool report_in_color(const Options& options) {
  const char* no_color = getenv("NO_COLOR");
  if (no_color != nullptr && *no_color != '\0') return false;
  const char* terminal = getenv("TERM");
  return isatty(fileno(report_stream(options))) == 1 && terminal != nullptr &&
         strcmp(terminal, "dumb") != 0;
}

}  // namespace heddle::session
