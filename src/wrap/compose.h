// The command that is run in the end: the user's own, with the instrumentation in front and the
// runtime around what is linked. Nothing of the user's is moved.
#pragma once

#include <string>
#include <vector>

#include "wrap/command_line.h"
#include "wrap/compiler.h"
#include "wrap/installation.h"

namespace heddle::wrap {

std::vector<std::string> compose(const Compiler& compiler, Family family,
                                 const Installation& installation, const CommandLine& line);

// For people: a line that a shell reads as this very command.
std::string quote(const std::vector<std::string>& command);

}  // namespace heddle::wrap
