// What the wrappers refuse, and how they say so: what is wrong, then what to do about it.
#pragma once

#include <optional>
#include <string>

#include "wrap/command_line.h"
#include "wrap/compiler.h"
#include "wrap/installation.h"

namespace heddle::wrap {

// Options that cannot be had together with Heddle. A command without input is never refused.
std::optional<std::string> reason_to_refuse(const CommandLine& line);

// A file of the installation that this command needs and that is not there.
std::optional<std::string> missing_part(const CommandLine& line, Family family,
                                        const Installation& installation);

// The compiler does not exist, or is one of the wrappers, which would then call itself for ever.
std::optional<std::string> unusable_compiler(const Compiler& compiler);

std::string explain_start_failure(int error);

}  // namespace heddle::wrap
