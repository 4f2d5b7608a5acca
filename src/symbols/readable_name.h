// Names of functions and variables as a person would write them in a sentence.
#pragma once

#include <string>
#include <string_view>

namespace heddle::symbols {

// From a linkage name ("_ZN11Philosopher3eatEv"), or a plain C name: "Philosopher::eat()". Template
// arguments, parameters, return types and unnamed namespaces are left out; a lambda is
// "main::{lambda}".
std::string readable_function(const std::string& linkage_name);
std::string readable_variable(const std::string& linkage_name);

// The same for a name that is demangled already, or put together from debug information.
std::string shorten_function(std::string_view demangled);

// From a linkage name, as the compiler's library has it; other names stay as they are.
std::string demangle(const std::string& linkage_name);

// Of a demangled name, without parameters and return type: "Port<int>::enqueue", "Port::enqueue".
std::string name_with_arguments(std::string_view demangled);
std::string name_without_arguments(std::string_view demangled);

// A module's path without its folders.
std::string file_name(const std::string& path);

}  // namespace heddle::symbols
