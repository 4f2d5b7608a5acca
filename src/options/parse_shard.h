// The value of --shard.
#pragma once

#include <string>

#include "explore/shard.h"

namespace heddle::options {

// "2/3". Throws UserError.
explore::Shard parse_shard(const std::string& value);

}  // namespace heddle::options
