// doctest and Heddle.
//
//   #include <heddle/doctest.h>
//
//   HEDDLE_TEST_CASE("two buyers, one item") {  // a TEST_CASE whose body is searched
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
// An assertion of doctest that fails inside of an execution fails that execution, with its text;
// the test then fails with the report of it. So it is, too, inside of plain heddle::check, in every
// program with a source that includes this header.
//
// Where the program is under control already (heddle doctest, heddle run) the code is just run: it
// is the command that searches, with its own options.
#pragma once

#include <doctest/doctest.h>

#include <string>

#include "heddle/framework.h"

#ifndef DOCTEST_CONFIG_DISABLE

// The search fails the test, which goes on; or which ends. The arguments are those of
// heddle::check.
#define CHECK_HEDDLE(...) HEDDLE_DOCTEST_CHECK_(DOCTEST_CHECK_MESSAGE, __VA_ARGS__)
#define REQUIRE_HEDDLE(...) HEDDLE_DOCTEST_CHECK_(DOCTEST_REQUIRE_MESSAGE, __VA_ARGS__)

// A test case whose body is searched; the arguments are those of TEST_CASE.
#define HEDDLE_TEST_CASE(...) \
  HEDDLE_DOCTEST_CASE_(HEDDLE_JOIN_(heddle_test_case_, __COUNTER__), __VA_ARGS__)
#define HEDDLE_DOCTEST_CASE_(function, ...)                  \
  static void function();                                    \
  DOCTEST_TEST_CASE(__VA_ARGS__) { CHECK_HEDDLE(function); } \
  static void function()

#define HEDDLE_DOCTEST_CHECK_(assertion, ...)                                       \
  do {                                                                              \
    ::heddle::internal::CheckOutcome heddle_outcome =                               \
        ::heddle::internal::run_in_framework(__VA_ARGS__);                          \
    bool no_execution_fails = heddle_outcome.ok;                                    \
    assertion(no_execution_fails, heddle_outcome.text);                             \
    if (heddle_outcome.discarded) DOCTEST_MESSAGE("every execution was discarded"); \
  } while (false)

namespace heddle::internal {

// Workers are forks of the test process, and have its listeners.
class DoctestListener final : public doctest::IReporter {
 public:
  explicit DoctestListener(const doctest::ContextOptions&) {}

  void log_assert(const doctest::AssertData& data) override {
    if (!data.m_failed || is_no_matter(data.m_at)) return;
    std::string name = doctest::assertString(data.m_at);
    std::string text = name + "( " + data.m_expr + " ) is NOT correct!";
    if (data.m_threw) {
      text += std::string("\n  threw: ") + data.m_exception.c_str();
    } else if (data.m_decomp.size() != 0) {
      text += "\n  values: " + name + "( " + data.m_decomp.c_str() + " )";
    }
    heddle_fail(text.c_str(), data.m_file, static_cast<unsigned>(data.m_line));
  }

  void log_message(const doctest::MessageData& data) override {
    if (is_no_matter(data.m_severity)) return;
    heddle_fail(data.m_string.c_str(), data.m_file, static_cast<unsigned>(data.m_line));
  }

  void report_query(const doctest::QueryData&) override {}
  void test_run_start() override {}
  void test_run_end(const doctest::TestRunStats&) override {}
  // A test that doctest lets fail may do so where the whole of it is one execution.
  void test_case_start(const doctest::TestCaseData& test) override {
    may_fail_ =
        controlled() && (test.m_may_fail || test.m_should_fail || test.m_expected_failures != 0);
  }
  void test_case_reenter(const doctest::TestCaseData&) override {}
  void test_case_end(const doctest::CurrentTestCaseStats&) override {}
  void test_case_exception(const doctest::TestCaseException&) override {}
  void subcase_start(const doctest::SubcaseSignature&) override {}
  void subcase_end() override {}
  void test_case_skipped(const doctest::TestCaseData&) override {}

 private:
  bool is_no_matter(doctest::assertType::Enum kind) const {
    return !controlled() || may_fail_ || (kind & doctest::assertType::is_warn) != 0;
  }

  bool may_fail_ = false;
};

inline const int g_doctest_listens = doctest::registerReporter<DoctestListener>("heddle", 0, false);

}  // namespace heddle::internal

#endif  // DOCTEST_CONFIG_DISABLE
