#include "trace/source_text.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

namespace heddle::trace {
namespace {

constexpr uint32_t kWhole = 1500;       // lines of a file that is kept as a whole
constexpr uint32_t kAround = 60;        // lines kept before and after one, of a longer file
constexpr size_t kMaxWidth = 400;       // of a line that was generated, only the beginning
constexpr size_t kMaxBytes = 16 << 20;  // of all files together

using Lines = std::map<std::string, std::set<uint32_t>>;  // by file

void add(const CallStack& stack, Lines* lines) {
  for (const Place& place : stack) {
    if (place.system || place.file.empty() || place.line <= 0) continue;
    (*lines)[place.file].insert(static_cast<uint32_t>(place.line));
  }
}

Lines lines_of(const Finding& finding) {
  Lines lines;
  add(finding.stack, &lines);
  for (const Witness& witness : finding.witnesses) add(witness.stack, &lines);
  add(finding.timeline.places, &lines);
  if (finding.cycle) {
    for (const DetailedStep& step : finding.cycle->steps) add(step.stack, &lines);
  }
  for (const Wait& wait : finding.waits) add(wait.stack, &lines);
  for (const ThreadAtEnd& thread : finding.threads) add(thread.stack, &lines);
  for (const Transfer& transfer : finding.transfers) add(transfer.stack, &lines);
  return lines;
}

std::vector<std::string> read_lines(const std::string& path, size_t* room) {
  std::vector<std::string> lines;
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return lines;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    if (line.ends_with('\r')) line.pop_back();
    if (line.size() > kMaxWidth) line.resize(kMaxWidth);
    if (line.size() + 1 > *room) return lines;
    *room -= line.size() + 1;
    lines.push_back(std::move(line));
  }
  return lines;
}

// What stands around the wanted lines; excerpts that touch are one.
std::vector<SourceExcerpt> excerpts_of(const std::vector<std::string>& lines,
                                       const std::set<uint32_t>& wanted) {
  auto count = static_cast<uint32_t>(lines.size());
  if (count <= kWhole) return {{1, lines}};
  std::vector<SourceExcerpt> excerpts;
  uint32_t end = 1;  // the line behind the last excerpt
  for (uint32_t line : wanted) {
    if (line > count) break;
    uint32_t first = std::max(end, line > kAround ? line - kAround : 1);
    uint32_t last = std::min(count, line + kAround);
    if (first > end || excerpts.empty()) excerpts.push_back({first, {}});
    for (uint32_t i = first; i <= last; ++i) excerpts.back().lines.push_back(lines[i - 1]);
    end = std::max(end, last + 1);
  }
  return excerpts;
}

}  // namespace

std::vector<SourceText> source_texts(const Finding& finding) {
  std::vector<SourceText> texts;
  size_t room = kMaxBytes;
  for (const auto& [file, wanted] : lines_of(finding)) {
    std::vector<std::string> lines = read_lines(file, &room);
    if (lines.empty()) continue;
    std::vector<SourceExcerpt> excerpts = excerpts_of(lines, wanted);
    if (!excerpts.empty()) texts.push_back({file, std::move(excerpts)});
  }
  return texts;
}

}  // namespace heddle::trace
