// The parameters of randomized backtracking, from text. Each throws UserError.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/ratio.h"

namespace heddle::options {

// "5,10,20".
std::vector<uint32_t> parse_thresholds(const std::string& text);
// "0.9", or "1-d/100".
Ratio parse_ratio(const std::string& text);

}  // namespace heddle::options
