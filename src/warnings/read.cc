#include "warnings/read.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "base/error.h"
#include "warnings/readers.h"
#include "warnings/text.h"

namespace heddle::warnings {
namespace {

constexpr const char* kKnown =
    "known are reports of ThreadSanitizer, Helgrind (text and --xml=yes), Clang's -Wthread-safety, "
    "clang-tidy and "
    "cppcheck (text and --xml), and SARIF 2.1.0";

using Read = void (*)(std::string_view, Reading*);

struct Format {
  const char* name;
  Read read;
};

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

Format format_of(std::string_view text) {
  std::string_view begin = trimmed(text.substr(0, 1000));
  if (begin.starts_with("\xef\xbb\xbf")) begin.remove_prefix(3);
  if (begin.starts_with('{')) return {"SARIF", read_sarif};
  if (begin.starts_with("<?xml") || begin.starts_with("<valgrindoutput") ||
      begin.starts_with("<results"))
    return {"XML", read_xml};
  if (has(text, "ThreadSanitizer: ")) return {"ThreadSanitizer", read_tsan};
  if (has(text, "== Helgrind") || has(text, "== Possible data race") || has(text, "== Thread #"))
    return {"Helgrind", read_helgrind};
  if (has(text, ": warning: ") || has(text, ": error: ") || has(text, "]: (error") ||
      has(text, "]: (warning"))
    return {"warnings of a compiler or a linter", read_diagnostics};
  return {nullptr, nullptr};
}

}  // namespace

void add_warning(Warning warning, Reading* reading) {
  auto same = [&](const Warning& other) {
    return other.tool == warning.tool && other.kind == warning.kind &&
           other.sequences == warning.sequences;
  };
  auto found = std::ranges::find_if(reading->warnings, same);
  if (found == reading->warnings.end()) {
    reading->warnings.push_back(std::move(warning));
  } else {
    found->repeats.push_back(warning.line);
  }
}

Reading read_text(const std::string& text, const std::string& name) {
  if (trimmed(text).empty())
    throw UserError(
        fmt::format("{}: the report is empty: the tool has not warned of anything", name));
  Format format = format_of(text);
  if (format.read == nullptr)
    throw UserError(fmt::format("{}: not a report of a known format; {}", name, kKnown));
  Reading reading;
  reading.format = format.name;
  try {
    format.read(text, &reading);
  } catch (const UserError& error) {
    throw UserError(fmt::format("{}: {}; {}", name, error.what(), kKnown));
  }
  return reading;
}

Reading read_report(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream bytes;
  if (in.is_open() && in.peek() != std::ifstream::traits_type::eof()) bytes << in.rdbuf();
  if (!in.is_open() || in.bad())
    throw UserError(fmt::format("{}: the report cannot be read: {}", path, std::strerror(errno)));
  return read_text(bytes.str(), path);
}

}  // namespace heddle::warnings
