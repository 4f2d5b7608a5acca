#include "session/output.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/error.h"

namespace heddle::session {

namespace {

constexpr size_t kLeastWidth = 60;  // of a report: its columns would say nothing in less

[[noreturn]] void cannot_write(const char* option, const std::string& path, int error) {
  throw UserError(fmt::format("--{} {}: cannot be written: {}", option, path, strerror(error)));
}

bool write_all(FILE* stream, const std::string& text) {
  return fwrite(text.data(), 1, text.size(), stream) == text.size() && fflush(stream) == 0;
}

FILE* report_stream(const Options& options) {
  bool taken = options.json == "-" || options.list_executions == "-" ||
               options.list_states == "-" || options.junit == "-" || options.sarif == "-";
  return taken ? stderr : stdout;
}

bool may_have_color() {
  const char* no_color = getenv("NO_COLOR");
  if (no_color != nullptr && *no_color != '\0') return false;
  const char* terminal = getenv("TERM");
  return terminal != nullptr && strcmp(terminal, "dumb") != 0;
}

}  // namespace

void check_file(const char* option, const std::string& path) {
  int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (fd < 0) cannot_write(option, path, errno);
  close(fd);
}

void write_file(const char* option, const std::string& path, const std::string& text) {
  FILE* file = fopen(path.c_str(), "we");
  if (file == nullptr) cannot_write(option, path, errno);
  bool written = write_all(file, text);
  int error = errno;
  fclose(file);
  if (!written) cannot_write(option, path, error);
}

void check_output(const char* option, const std::string& path) {
  if (!path.empty() && path != "-") check_file(option, path);
}

void write_output(const char* option, const std::string& path, const std::string& text) {
  if (path != "-") return write_file(option, path, text);
  if (!write_all(stdout, text)) cannot_write(option, "-", errno);
}

void check_json_file(const Options& options) { check_output("json", options.json); }

void write_json(const Options& options, const std::function<std::string()>& json) {
  if (!options.json.empty()) write_output("json", options.json, json());
}

void print_report(const Options& options, const std::string& text) {
  FILE* stream = report_stream(options);
  fwrite(text.data(), 1, text.size(), stream);
  fflush(stream);
}

report::View plain_view(const Options& options) {
  report::View view;
  if (options.width.has_value()) view.width = *options.width;
  view.steps = options.steps;
  return view;
}

report::View report_view(const Options& options) {
  report::View view = plain_view(options);
  int fd = fileno(report_stream(options));
  if (isatty(fd) != 1) return view;
  view.color = may_have_color();
  winsize size{};
  bool is_known = ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col != 0;
  if (!options.width.has_value())
    view.width = is_known ? std::max<size_t>(size.ws_col, kLeastWidth) : 80;
  return view;
}

}  // namespace heddle::session
