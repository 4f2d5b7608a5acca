// The value of --on: where a Redis is.
#pragma once

#include <cstdint>
#include <string>

namespace heddle::options {

struct Server {
  std::string text;  // as given; empty: none
  std::string user;  // empty: the usual one
  std::string host;
  uint16_t port = 6379;
  uint32_t database = 0;

  bool is_given() const { return !text.empty(); }
};

// "redis://[USER@]HOST[:PORT][/DB]". Throws UserError.
Server parse_server(const std::string& value);

}  // namespace heddle::options
