// What engine and runtime say to each other about test frameworks.
#pragma once

namespace heddle::wire {

// The message of an execution of heddle::check in which a framework has counted a failure that
// nobody has told us of.
inline constexpr char kCountedFailures[] =
    "an assertion of GoogleTest failed; the program's output tells which";

}  // namespace heddle::wire
