// Did you mean …? The nearest of some names, by the number of letters to insert, remove, replace or
// swap.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heddle::symbols {

// Empty if none is near enough to be meant.
std::string nearest(std::string_view word, const std::vector<std::string>& names);

}  // namespace heddle::symbols
