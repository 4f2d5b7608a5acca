#include "report/source_line.h"

#include <filesystem>
#include <fstream>

#include "report/style.h"

namespace heddle::report {

std::string source_line(const trace::Place& place) {
  constexpr size_t kWidth = 60;
  std::error_code error;
  if (place.line <= 0 || !std::filesystem::is_regular_file(place.file, error)) return "";
  std::ifstream in(place.file);
  std::string line;
  for (int i = 0; i < place.line; ++i) {
    if (!std::getline(in, line)) return "";
  }
  size_t begin = line.find_first_not_of(" \t");
  size_t end = line.find_last_not_of(" \t\r");
  if (begin == std::string::npos) return "";
  line = line.substr(begin, end - begin + 1);
  if (line.size() > kWidth) line = line.substr(0, kWidth - 3) + "...";
  return printable(line);
}

}  // namespace heddle::report
