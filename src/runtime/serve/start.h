// Where control begins: see start.cc.
#pragma once

#include "runtime/serve/worker.h"

namespace heddle::runtime {

// True in a program that is to be controlled, while its static constructors run.
bool before_control();

}  // namespace heddle::runtime
