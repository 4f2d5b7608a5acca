// The tests of a program, each as a search of its own: heddle gtest, catch2, doctest.
#pragma once

#include <functional>

#include "options/options.h"
#include "report/tests.h"
#include "session/framework.h"

namespace heddle::session {

// `tell` is called for each test as soon as it is done. An Interrupt must live. Throws UserError if
// there is no test, or the program cannot be put under control.
using TellTest = std::function<void(const report::Test&)>;
report::Tests run_tests(const Program& program, const Options& options, const Framework& framework,
                        const TellTest& tell);

}  // namespace heddle::session
