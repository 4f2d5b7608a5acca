// The values of --through and --toward.
#pragma once

#include <string>
#include <vector>

#include "explore/strategies.h"

namespace heddle::options {

// Places, with commas between them; "none": there are none. Throws UserError.
std::vector<std::string> parse_through(const std::string& text);
std::string through_text(const std::vector<std::string>& places);

// "distance", "random" or "prefer:1,2". Throws UserError.
void parse_toward(const std::string& text, explore::GuideOptions* guide);

}  // namespace heddle::options
