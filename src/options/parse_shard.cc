#include "options/parse_shard.h"

#include <fmt/format.h>

#include "base/error.h"
#include "options/parse_value.h"

namespace heddle::options {

namespace {

constexpr uint64_t kMostParts = 10'000;

}  // namespace

explore::Shard parse_shard(const std::string& value) {
  size_t slash = value.find('/');
  if (slash == std::string::npos) {
    throw UserError(
        fmt::format("--shard {}: which part of how many? Type e.g. --shard 2/3", value));
  }
  explore::Shard shard;
  shard.count =
      static_cast<uint32_t>(parse_number("shard", value.substr(slash + 1), 1, kMostParts, "2/3"));
  shard.index =
      static_cast<uint32_t>(parse_number("shard", value.substr(0, slash), 1, kMostParts, "2/3"));
  if (shard.index > shard.count) {
    throw UserError(fmt::format("--shard {}: there is no part {} of {}; type e.g. --shard {}/{}",
                                value, shard.index, shard.count, shard.count, shard.count));
  }
  return shard;
}

}  // namespace heddle::options
