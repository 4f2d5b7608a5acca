#include "report/source_line.h"

#include "report/style.h"

namespace heddle::report {

std::string source_line(const trace::Place& place) {
  constexpr size_t kWidth = 60;
  std::string line = place.source;
  if (line.size() > kWidth) {
    size_t end = kWidth - 3;
    while (end > 0 && (static_cast<unsigned char>(line[end]) & 0xc0) == 0x80)
      --end;  // whole characters
    line = line.substr(0, end) + "...";
  }
  return printable(line);
}

}  // namespace heddle::report
