#include "trace/printed_failure.h"

#include <gtest/gtest.h>

#include "wire/frameworks.h"

namespace heddle::trace {
namespace {

TEST(PrintedFailure, OfGoogleTest) {
  auto failure = printed_failure(
      "Running main() from gtest_main.cc\n"
      "[ RUN      ] Stock.Small\n"
      "src/stock_test.cc:41: Failure\n"
      "Expected equality of these values:\n"
      "  stock.items()\n"
      "    Which is: -1\n"
      "  0\n"
      "src/stock_test.cc:42: Failure\n"
      "Failed\n"
      "[  FAILED  ] Stock.Small (0 ms)\n");
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->file, "src/stock_test.cc");
  EXPECT_EQ(failure->line, 41);
  EXPECT_EQ(failure->test, "Stock.Small");
  EXPECT_EQ(failure->text,
            "Expected equality of these values:\n  stock.items()\n    Which is: -1\n  0\n"
            "and 1 more failure");
}

TEST(PrintedFailure, OfGoogleTestWithoutAPlace) {
  auto failure = printed_failure(
      "\x1b[0;32m[ RUN      ] \x1b[mA.B\nunknown file: Failure\n"
      "C++ exception with description \"boom\" thrown in the test body.\n[  FAILED  ] A.B\n");
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->file, "");
  EXPECT_EQ(failure->test, "A.B");
  EXPECT_EQ(failure->text, "C++ exception with description \"boom\" thrown in the test body.");
}

TEST(PrintedFailure, OfCatch2) {
  auto failure = printed_failure(
      "-------------------------------------------------------------------------------\n"
      "sums\n"
      "-------------------------------------------------------------------------------\n"
      "c:\\odd: name.cc:5\n"
      "...............................................................................\n\n"
      "odd: name.cc:8: FAILED:\n"
      "  CHECK( v == 2 )\n"
      "with expansion:\n"
      "  1 == 2\n\n"
      "===============================================================================\n");
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->file, "odd: name.cc");
  EXPECT_EQ(failure->line, 8);
  EXPECT_EQ(failure->text, "FAILED:\n  CHECK( v == 2 )\nwith expansion:\n  1 == 2");
}

TEST(PrintedFailure, OfDoctest) {
  const char* text =
      "test.cc:5:\nTEST CASE:  sums\n\n"
      "test.cc:8: ERROR: CHECK( v == 2 ) is NOT correct!\n"
      "  values: CHECK( 1 == 2 )\n\n";
  // Without doctest's own mark this is how anybody writes messages.
  EXPECT_FALSE(printed_failure(text));
  auto failure = printed_failure(std::string(text) + "[doctest] Status: FAILURE!\n");
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->line, 8);
  EXPECT_EQ(failure->test, "sums");
  EXPECT_EQ(failure->text, "CHECK( v == 2 ) is NOT correct!\n  values: CHECK( 1 == 2 )");
}

TEST(PrintedFailure, OfNobody) {
  for (const char* text : {"", "\n", "Failure", ":1: Failure", "file.cc:x: Failure",
                           "file.cc:12: error: no", "12: Failure\n", "a:99999999999999: Failure"}) {
    EXPECT_FALSE(printed_failure(text)) << text;
  }
}

Finding finding_with(wire::Failure kind, std::string message) {
  Finding finding;
  finding.kind = kind;
  finding.message = std::move(message);
  finding.stack = {{"inner", "/usr/lib/framework.cc", 3, "t", 0, false, false},
                   {"body", "/home/ada/test.cc", 12, "t", 0, false, false},
                   {"main", "/home/ada/test.cc", 40, "t", 0, false, false}};
  return finding;
}

TEST(TellAssertion, BeginsWhereTheMessageSays) {
  Finding finding = finding_with(wire::Failure::assertion, "test.cc:12: words");
  tell_assertion(&finding);
  ASSERT_EQ(finding.stack.size(), 2u);
  EXPECT_EQ(finding.location(), "test.cc:12");
  for (const char* message : {"other.cc:12: words", "abort was called", "words: 12: words"}) {
    Finding other = finding_with(wire::Failure::assertion, message);
    tell_assertion(&other);
    EXPECT_EQ(other.stack.size(), 3u) << message;
  }
}

// Catch2 tells of an exception when only its main is left, which may have been built along.
TEST(TellAssertion, LeavesTheFrameworkOut) {
  Finding finding = finding_with(wire::Failure::assertion, "other.cc:12: words");
  finding.stack[1].function = "Catch::Session::run()";
  tell_assertion(&finding);
  ASSERT_EQ(finding.stack.size(), 1u);
  EXPECT_EQ(finding.location(), "other.cc:12");
}

TEST(TellAssertion, TakesWhatWasPrinted) {
  for (wire::Failure kind : {wire::Failure::exit, wire::Failure::assertion}) {
    bool is_exit = kind == wire::Failure::exit;
    Finding finding =
        finding_with(kind, is_exit ? "the program ended with status 1" : wire::kCountedFailures);
    Finding silent = finding;
    tell_assertion(&silent);
    EXPECT_EQ(silent.message, finding.message);
    finding.output = "dir/a.cc:7: Failure\nFailed\n";
    tell_assertion(&finding);
    EXPECT_EQ(finding.message, "a.cc:7: Failed");
    EXPECT_EQ(finding.location(), "a.cc:7");
  }
  // What others print is no word on a crash.
  Finding crash = finding_with(wire::Failure::crash, "SIGSEGV");
  crash.output = "a.cc:7: Failure\nFailed\n";
  tell_assertion(&crash);
  EXPECT_EQ(crash.message, "SIGSEGV");
}

}  // namespace
}  // namespace heddle::trace
