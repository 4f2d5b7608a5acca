#include "session/ci_output.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>

#include "session/output.h"

namespace heddle::session {

namespace {

bool in_github_actions() {
  const char* variable = getenv("GITHUB_ACTIONS");
  return variable != nullptr && strcmp(variable, "true") == 0;
}

// Of the project, as the CI system sees it: paths in what it is told begin there.
std::string project_root() {
  const char* workspace = getenv("GITHUB_WORKSPACE");
  if (workspace != nullptr && *workspace == '/') {
    return std::filesystem::path(workspace).lexically_normal().string();
  }
  std::error_code error;
  return std::filesystem::current_path(error).string();
}

}  // namespace

void check_ci_files(const Options& options) {
  check_output("junit", options.junit);
  check_output("sarif", options.sarif);
}

void write_ci_files(const Options& options, report::Tests tests) {
  tests.root = project_root();
  if (!options.junit.empty()) write_output("junit", options.junit, report::junit(tests));
  if (!options.sarif.empty()) write_output("sarif", options.sarif, report::sarif(tests));
}

void write_annotations(const Options& options, report::Tests tests) {
  tests.root = project_root();
  if (!options.annotations.value_or(in_github_actions() && !options.quiet)) return;
  fflush(stdout);
  fmt::print(stderr, "{}", report::github_annotations(tests));
}

std::string timestamp() { return fmt::format("{:%Y-%m-%dT%H:%M:%S}", fmt::gmtime(time(nullptr))); }

}  // namespace heddle::session
