// Text as numbered lines, and what the readers of text look for in them. Nothing here believes what
// it reads.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::warnings {

// Without what ends them. Line n is at n - 1.
std::vector<std::string_view> split_lines(std::string_view text);

std::string_view trimmed(std::string_view text);

// All of the text is a decimal number that fits.
std::optional<uint32_t> number(std::string_view text);

// What stands between the two; nullopt: they are not there, in this order.
std::optional<std::string_view> between(std::string_view text, std::string_view before,
                                        std::string_view after);

constexpr size_t kMessage = 1000;  // of a warning: as long as may be

// For a message: one line, not too long, nothing that a terminal would act on.
std::string shown(std::string_view text, size_t most = 100);

// "line 12: why"
std::string at_line(size_t line, std::string_view why);

}  // namespace heddle::warnings
