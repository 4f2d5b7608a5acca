#include "report/source_line.h"

#include <algorithm>

#include "report/style.h"
#include "trace/quote_source.h"

namespace heddle::report {

std::string source_line(const trace::Place& place, size_t width) {
  constexpr size_t kUseful = 12;
  if (place.source.empty() || width < kUseful) return "";
  auto column = static_cast<size_t>(std::max(place.column, 0));
  return printable(trace::cut_around(place.source, column, width).text);
}

}  // namespace heddle::report
