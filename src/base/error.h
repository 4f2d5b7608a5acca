// The kinds of errors that end a run of the engine, told apart by type. A finding is none of them:
// it is a value.
//
// Engine only: the runtime, inside the program under test, throws nothing.
#pragma once

#include <stdexcept>

namespace heddle {

// The user's mistake, or a program that cannot be put under control: the message says what to
// change. Exit code 2.
class UserError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Our own bug. Exit code 4.
class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

}  // namespace heddle
