#include "machines/assignment.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/error.h"

namespace heddle::machines {

namespace {

constexpr uint64_t kLargestProgram = uint64_t{256} << 20;  // bytes, with its libraries

// What shapes neither the search nor its executions, or is for one side alone.
constexpr const char* kOwn[] = {"on",     "password-file", "redis-memory", "lost-after", "jobs",
                                "resume", "executions",    "seconds",      "out",        "json",
                                "junit",  "sarif",         "annotations",  "steps",      "width",
                                "trace",  "quiet",         "memory",       "suppress"};

void refuse_large(const Assignment& assignment) {
  uint64_t size = 0;
  for (const SentFile& file : assignment.files) size += file.size;
  if (size <= kLargestProgram) return;
  throw UserError(fmt::format(
      "{} and its libraries have {} MB, and {} MB is the most that goes through Redis; type: "
      "strip {}",
      assignment.path, size >> 20, kLargestProgram >> 20, assignment.path));
}

}  // namespace

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream content;
  content << file.rdbuf();
  return content.str();
}

Assignment assignment_of(const session::Subject& subject, const options::Options& options,
                         const std::vector<std::pair<std::string, std::string>>& given,
                         const session::Identity& modules, const std::vector<std::string>& files) {
  Assignment assignment;
  assignment.command = subject.command;
  assignment.path = subject.path;
  assignment.directory = subject.directory;
  assignment.modules = modules;
  assignment.lost_after = options.lost_after;
  for (const auto& [name, value] : given) {
    if (name == "suppress") assignment.suppressions = content_of(value);
    if (std::ranges::find(kOwn, name) == std::end(kOwn)) {
      assignment.options.emplace_back(name, value);
    }
  }
  for (const std::string& path : files) {
    std::string content = content_of(path);
    assignment.files.push_back(
        {std::filesystem::path(path).filename().string(), hash_of(content), content.size()});
  }
  refuse_large(assignment);
  return assignment;
}

}  // namespace heddle::machines
