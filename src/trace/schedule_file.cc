#include "trace/schedule_file.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <filesystem>
#include <fstream>

#include "base/printable.h"
#include "trace/new_file.h"
#include "trace/quoted.h"
#include "trace/words.h"

namespace heddle::trace {
namespace {

// Collects the lines that count, with their checksum, and the comments between them.
class Writer {
 public:
  void line(std::string_view text) {
    text_ += text;
    text_ += '\n';
    significant_ += text;
    significant_ += '\n';
  }
  void value(std::string_view key, std::string_view text) { line(fmt::format("{} {}", key, text)); }
  // A note may hold anything that the program has put into its names.
  void comment(std::string_view text) {
    text_ += "# ";
    text_ += printable(text);
    text_ += '\n';
  }
  std::string finish() {
    uint64_t checksum = XXH64(significant_.data(), significant_.size(), 0);
    return text_ + fmt::format("end {:016x}\n", checksum);
  }

 private:
  std::string text_;
  std::string significant_;
};

// No schedule that we write comes near: 1,000,000 decisions have 20 MB.
constexpr uintmax_t kMaxBytes = uintmax_t{1} << 30;

}  // namespace

Schedule ScheduleFile::schedule() const {
  Schedule result;
  for (const NamedDecision& decision : decisions)
    result.push_back({decision.step, decision.choice});
  return result;
}

ScheduleFile schedule_file_of(const Finding& finding) {
  ScheduleFile file;
  file.failure = wire::failure_name(finding.kind);
  file.location = finding.location();
  file.steps = finding.steps;
  if (finding.kind == wire::Failure::livelock) file.cycle = finding.proved_cycle;
  file.sequence = finding.sequence;
  file.decisions = finding.decisions;
  return file;
}

std::string format_schedule(const ScheduleFile& file) {
  Writer out;
  out.line(fmt::format("heddle schedule {}", kScheduleVersion));
  out.comment(
      "Leads the program below to its failure. To see it again, type: heddle replay THIS_FILE");
  out.value("program", quote_if_needed(file.program));
  out.value("directory", quote_if_needed(file.directory));
  if (!file.build_id.empty()) out.value("build-id", file.build_id);
  for (const std::string& argument : file.arguments) out.value("argument", quote(argument));
  for (const auto& [name, value] : file.options) {
    out.line(fmt::format("option {} {}", name, quote_if_needed(value)));
  }
  if (file.check) out.value("check", std::to_string(*file.check));
  out.value("failure", file.location.empty()
                           ? file.failure
                           : fmt::format("{} {}", file.failure, quote_if_needed(file.location)));
  out.value("steps", std::to_string(file.steps));
  if (file.cycle != 0) out.value("cycle", std::to_string(file.cycle));
  out.value("sequence", fmt::format("{:016x}", file.sequence));
  out.value("decisions", std::to_string(file.decisions.size()));
  if (!file.decisions.empty()) {
    out.comment("At this step, take this option instead of the default; it lets this thread go.");
  }
  for (const NamedDecision& decision : file.decisions) {
    if (!decision.note.empty()) out.comment(decision.note);
    out.line(fmt::format("{} {} thread {}", decision.step, decision.choice,
                         decision.thread.empty() ? "?" : decision.thread));
  }
  return out.finish();
}

void write_schedule_file(const std::string& path, const ScheduleFile& file) {
  std::string text = format_schedule(file);
  NewFile out(path);
  out.write(text.data(), text.size());
  out.finish(false);
}

ScheduleFile read_schedule_file(const std::string& path) {
  std::error_code error;
  auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) {
    throw ScheduleFileError(
        fmt::format("{}: there is no such file; give a schedule that `heddle run` has written "
                    "(heddle-out/*.heddle)",
                    path));
  }
  if (!std::filesystem::is_regular_file(status)) {
    throw ScheduleFileError(path + ": is not a file; give one of the schedules in it (*.heddle)");
  }
  uintmax_t bytes = std::filesystem::file_size(path, error);
  std::ifstream in(path, std::ios::binary);
  if (error || !in) throw ScheduleFileError(path + ": cannot be read; check its permissions");
  if (bytes > kMaxBytes)
    throw ScheduleFileError(path + ": is too large for a schedule of heddle's");
  std::string text(bytes, '\0');
  in.read(text.data(), static_cast<std::streamsize>(bytes));
  text.resize(static_cast<size_t>(in.gcount()));
  return parse_schedule(text, path);
}

}  // namespace heddle::trace
