// The program and its libraries where a worker had them; the program is the first.
#pragma once

#include <vector>

#include "wire/layout.h"

namespace heddle::symbols {

using Modules = std::vector<wire::Module>;

}  // namespace heddle::symbols
