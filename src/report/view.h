// How a report for people is to look.
#pragma once

#include <cstddef>
#include <optional>

#include "report/style.h"

namespace heddle::report {

struct View {
  // Where nobody knows how wide it is: a pipe, a file, the log of a build.
  static constexpr size_t kUsualWidth = 120;
  static constexpr size_t kAllSteps = ~size_t{0};

  bool color = false;  // with terminal colours
  size_t width = kUsualWidth;
  // So many steps of an execution, or more if there is more that matters; none: what matters.
  std::optional<size_t> steps{};

  Paint paint() const { return Paint(color); }
};

}  // namespace heddle::report
