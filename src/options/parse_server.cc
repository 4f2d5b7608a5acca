#include "options/parse_server.h"

#include <fmt/format.h>

#include <string_view>

#include "base/error.h"
#include "options/parse_value.h"

namespace heddle::options {

namespace {

constexpr std::string_view kScheme = "redis://";
constexpr char kExample[] = "redis://localhost:6379/0";

}  // namespace

Server parse_server(const std::string& value) {
  if (value.starts_with("rediss://")) {
    throw UserError(fmt::format(
        "--on {}: this Heddle was built with a client library without TLS; let stunnel or ssh -L "
        "lead to the server, and type e.g. --on {}",
        value, kExample));
  }
  if (!value.starts_with(kScheme)) {
    throw UserError(fmt::format("--on {}: where is Redis? Type e.g. --on {}", value, kExample));
  }
  Server server;
  server.text = value;
  std::string rest = value.substr(kScheme.size());
  size_t slash = rest.find('/');
  if (slash != std::string::npos && slash + 1 < rest.size()) {
    server.database =
        static_cast<uint32_t>(parse_number("on", rest.substr(slash + 1), 0, 1'000'000, kExample));
  }
  rest = rest.substr(0, slash);
  size_t at = rest.rfind('@');
  if (at != std::string::npos) {
    server.user = rest.substr(0, at);
    rest = rest.substr(at + 1);
    if (server.user.find(':') != std::string::npos) {
      throw UserError(
          "--on: a password on the command line can be read by everybody on the machine; leave it "
          "out, and set HEDDLE_REDIS_PASSWORD or type --password-file FILE");
    }
  }
  // IPv6 addresses have colons of their own, and brackets around them.
  size_t colon = rest.find(':', rest.starts_with('[') ? rest.find(']') : 0);
  if (colon != std::string::npos) {
    server.port =
        static_cast<uint16_t>(parse_number("on", rest.substr(colon + 1), 1, 65535, kExample));
  }
  server.host = rest.substr(0, colon);
  if (server.host.starts_with('[') && server.host.ends_with(']')) {
    server.host = server.host.substr(1, server.host.size() - 2);
  }
  if (server.host.empty()) {
    throw UserError(
        fmt::format("--on {}: on which host is Redis? Type e.g. --on {}", value, kExample));
  }
  return server;
}

}  // namespace heddle::options
