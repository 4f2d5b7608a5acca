#include "report/source_line.h"

#include "report/style.h"

namespace heddle::report {

std::string source_line(const trace::Place& place) {
  constexpr size_t kWidth = 60;
  std::string line = place.source;
  if (line.size() > kWidth) line = line.substr(0, kWidth - 3) + "...";
  return printable(line);
}

}  // namespace heddle::report
