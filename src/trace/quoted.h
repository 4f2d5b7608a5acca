// Text values in schedule files: plain where that is safe, else as a JSON string.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace heddle::trace {

// Always as a JSON string. Bytes that are not ASCII stay as they are.
std::string quote(std::string_view text);

// Quoted only where the plain text would be misread: empty, control characters, a quote or space at
// its edge, a #.
std::string quote_if_needed(std::string_view text);

// The reverse of both; nothing if a string is malformed.
std::optional<std::string> unquote(std::string_view text);

}  // namespace heddle::trace
