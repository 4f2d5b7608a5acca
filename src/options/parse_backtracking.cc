#include "options/parse_backtracking.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <string_view>

#include "base/error.h"
#include "options/parse_value.h"

namespace heddle::options {

namespace {

constexpr uint64_t kMostThreshold = 1'000'000;

}  // namespace

std::vector<uint32_t> parse_thresholds(const std::string& text) {
  std::vector<uint32_t> thresholds;
  for (size_t begin = 0; begin <= text.size();) {
    size_t end = std::min(text.find(',', begin), text.size());
    thresholds.push_back(static_cast<uint32_t>(parse_number(
        "threshold", text.substr(begin, end - begin), 0, kMostThreshold, "10, or 5,10,20,50,100")));
    begin = end + 1;
  }
  return thresholds;
}

Ratio parse_ratio(const std::string& text) {
  constexpr std::string_view kFunction = "1-d/";
  const char* end = text.data() + text.size();
  if (text.starts_with(kFunction)) {
    uint64_t divisor = 0;
    auto [rest, error] = std::from_chars(text.data() + kFunction.size(), end, divisor);
    if (error == std::errc() && rest == end && divisor > 0) return {0, divisor};
  } else {
    double value = 0;
    auto [rest, error] = std::from_chars(text.data(), end, value);
    bool is_number = error == std::errc() && rest == end && value >= 0 && value <= 1;
    if (is_number && value == 1) return {};
    if (is_number) return {static_cast<uint64_t>(std::ldexp(value, 64)), 0};
  }
  throw UserError(fmt::format(
      "--ratio: '{}' is neither a number from 0 to 1 nor 1-d/C with a whole number C above 0; type "
      "e.g. --ratio 0.9 or --ratio 1-d/100",
      text));
}

}  // namespace heddle::options
