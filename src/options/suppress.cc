#include "options/suppress.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "base/error.h"

namespace heddle::options {

trace::Suppressions read_suppressions(const std::string& path) {
  if (path.empty()) throw UserError("--suppress needs a file; type e.g. --suppress known.txt");
  std::error_code none;
  if (std::filesystem::is_directory(path, none))
    throw UserError(fmt::format("--suppress {}: that is a directory; it needs a file", path));
  std::ifstream file(path);
  if (!file) throw UserError(fmt::format("--suppress {}: {}", path, std::strerror(errno)));
  trace::Suppressions all;
  std::string name = std::filesystem::path(path).filename().string();
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    try {
      auto rule = trace::parse_suppression(line, fmt::format("{}:{}", name, number));
      if (rule) all.push_back(*std::move(rule));
    } catch (const std::runtime_error& error) {
      throw UserError(fmt::format("{}:{}: {}", path, number, error.what()));
    }
  }
  return all;
}

}  // namespace heddle::options
