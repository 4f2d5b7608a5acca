// Catch2, version 2 or 3, and Heddle.
//
//   #include <heddle/catch2.h>  // of version 2: before <catch2/catch.hpp>, or instead of it;
//                               // of version 3 as one file: after "catch_amalgamated.hpp"
//
//   HEDDLE_TEST_CASE("two buyers, one item", "[stock]") {  // a TEST_CASE whose body is searched
//     Stock stock(1);
//     std::thread other([&] { stock.take(); });
//     stock.take();
//     other.join();
//     CHECK(stock.items() == 0);
//   }
//
//   TEST_CASE("sizes") {
//     for (int size : {1, 2}) CHECK_HEDDLE([&] { … }, heddle::Options{}.preemptions(2));
//   }
//
// An assertion of Catch2 that fails inside of an execution fails that execution, with its text; the
// test then fails with the report of it. So it is, too, inside of plain heddle::check, in every
// program with a source that includes this header.
//
// Where the program is under control already (heddle catch2, heddle run) the code is just run: it
// is the command that searches, with its own options.
#pragma once

#if defined(CATCH_VERSION_MAJOR) && CATCH_VERSION_MAJOR < 3
#define HEDDLE_CATCH_2_
#elif !defined(CATCH_VERSION_MAJOR) && !__has_include(<catch2/catch_test_macros.hpp>)
#define HEDDLE_CATCH_2_
#endif

#ifdef HEDDLE_CATCH_2_
// Without it, version 2 shows its listeners to the source with its main function alone.
#ifndef CATCH_VERSION_MAJOR
#ifndef CATCH_CONFIG_EXTERNAL_INTERFACES
#define CATCH_CONFIG_EXTERNAL_INTERFACES
#endif
#include <catch2/catch.hpp>
#endif
#elif !defined(CATCH_AMALGAMATED_HPP_INCLUDED)
#include <catch2/catch_assertion_result.hpp>
#include <catch2/catch_test_case_info.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/catch_version_macros.hpp>
#include <catch2/interfaces/catch_interfaces_reporter.hpp>
#include <catch2/reporters/catch_reporter_event_listener.hpp>
#include <catch2/reporters/catch_reporter_registrars.hpp>
#endif

#if defined(HEDDLE_CATCH_2_) && !defined(CATCH_CONFIG_EXTERNAL_INTERFACES)
#ifdef HEDDLE_BY_ITSELF_
#pragma message(                                                       \
    "assertions of Catch2 inside of heddle::check are not seen here; " \
    "include <heddle/catch2.h> before <catch2/catch.hpp>")
#else
#error \
    "include <heddle/catch2.h> before <catch2/catch.hpp>, or define CATCH_CONFIG_EXTERNAL_INTERFACES before it"
#endif
#else

#include <string>
#include <utility>

#include "heddle/framework.h"

#ifdef CATCH_CONFIG_PREFIX_ALL
#define HEDDLE_CATCH_(name) CATCH_##name
#else
#define HEDDLE_CATCH_(name) name
#endif

// The search fails the test, which goes on; or which ends. The arguments are those of
// heddle::check.
#define CHECK_HEDDLE(...) HEDDLE_CATCH_CHECK_(HEDDLE_CATCH_(FAIL_CHECK), __VA_ARGS__)
#define REQUIRE_HEDDLE(...) HEDDLE_CATCH_CHECK_(HEDDLE_CATCH_(FAIL), __VA_ARGS__)

// A test case whose body is searched; the arguments are those of TEST_CASE.
#define HEDDLE_TEST_CASE(...) \
  HEDDLE_CATCH_CASE_(HEDDLE_JOIN_(heddle_test_case_, __COUNTER__), __VA_ARGS__)
#define HEDDLE_CATCH_CASE_(function, ...)                           \
  static void function();                                           \
  HEDDLE_CATCH_(TEST_CASE)(__VA_ARGS__) { CHECK_HEDDLE(function); } \
  static void function()

#define HEDDLE_CATCH_CHECK_(fail, ...)                     \
  do {                                                     \
    ::heddle::internal::CheckOutcome heddle_outcome =      \
        ::heddle::internal::run_in_framework(__VA_ARGS__); \
    if (!heddle_outcome.ok) fail(heddle_outcome.text);     \
    if (heddle_outcome.discarded) HEDDLE_CATCH_SKIP_;      \
    if (heddle_outcome.ok) HEDDLE_CATCH_(SUCCEED)();       \
  } while (false)

#if !defined(HEDDLE_CATCH_2_) && (CATCH_VERSION_MAJOR > 3 || CATCH_VERSION_MINOR >= 3)
#define HEDDLE_CATCH_SKIP_ HEDDLE_CATCH_(SKIP)("every execution was skipped or discarded")
#else
#define HEDDLE_CATCH_SKIP_ HEDDLE_CATCH_(WARN)("every execution was discarded")
#endif

namespace heddle::internal {

#ifdef HEDDLE_CATCH_2_
using CatchListenerBase = Catch::TestEventListenerBase;
#else
using CatchListenerBase = Catch::EventListenerBase;
#endif
// bool in version 2 and in previews of version 3, void since.
using CatchAnswer = decltype(std::declval<CatchListenerBase&>().assertionEnded(
    std::declval<const Catch::AssertionStats&>()));

// Workers are forks of the test process, and have its listeners.
class CatchListener final : public CatchListenerBase {
 public:
  using CatchListenerBase::CatchListenerBase;

  // A test that Catch2 lets fail may do so where the whole of it is one execution.
  void testCaseStarting(const Catch::TestCaseInfo& test) override {
    CatchListenerBase::testCaseStarting(test);
    may_fail_ = controlled() && test.okToFail();
  }

  CatchAnswer assertionEnded(const Catch::AssertionStats& stats) override {
    const Catch::AssertionResult& result = stats.assertionResult;
    if (controlled()) {
#if !defined(HEDDLE_CATCH_2_) && (CATCH_VERSION_MAJOR > 3 || CATCH_VERSION_MINOR >= 3)
      if (result.getResultType() == Catch::ResultWas::ExplicitSkip) skip_in_framework();
#endif
      if (!result.isOk() && !may_fail_) fail(result);
    }
    return CatchAnswer(true);
  }

 private:
  static void fail(const Catch::AssertionResult& result) {
    std::string text = "FAILED:";
    if (result.hasExpression()) text += "\n  " + std::string(result.getExpressionInMacro());
    if (result.hasExpandedExpression()) {
      text += "\nwith expansion:\n  " + std::string(result.getExpandedExpression());
    }
    if (result.hasMessage()) {
      bool threw = result.getResultType() == Catch::ResultWas::ThrewException;
      text += threw ? "\ndue to unexpected exception with message:\n  " : "\nwith message:\n  ";
      text += std::string(result.getMessage());
    }
    Catch::SourceLineInfo place = result.getSourceInfo();
    heddle_fail(text.c_str(), place.file, static_cast<unsigned>(place.line));
  }

  bool may_fail_ = false;
};

CATCH_REGISTER_LISTENER(CatchListener)

}  // namespace heddle::internal

#endif
