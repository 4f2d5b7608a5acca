// GoogleTest and Heddle.
//
//   #include <heddle/gtest.h>
//
//   HEDDLE_TEST(Stock, TwoBuyersOneItem) {  // a TEST whose body is searched
//     Stock stock(1);
//     std::thread other([&] { stock.take(); });
//     stock.take();
//     other.join();
//     EXPECT_EQ(stock.items(), 0);
//   }
//
//   TEST(Stock, Sizes) {
//     for (int size : {1, 2}) EXPECT_HEDDLE([&] { … }, heddle::Options{}.preemptions(2));
//   }
//
// An assertion of GoogleTest that fails inside of an execution fails that execution, with its text;
// the test then fails with the report of it. So it is, too, inside of plain heddle::check, in every
// program with a source that includes this header.
//
// Where the program is under control already (heddle gtest, heddle run) the code is just run: it is
// the command that searches, with its own options.
#pragma once

#include <gtest/gtest.h>

#include "heddle/framework.h"

// The search fails the test, which goes on; or which ends. The arguments are those of
// heddle::check.
#define EXPECT_HEDDLE(...) HEDDLE_GTEST_CHECK_(ADD_FAILURE(), __VA_ARGS__)
#define ASSERT_HEDDLE(...) HEDDLE_GTEST_CHECK_(GTEST_FAIL(), __VA_ARGS__)

// Tests whose bodies are searched; behind the name there may be options:
// HEDDLE_TEST(Stock, Small, heddle::Options{}.preemptions(2)) { … }
#define HEDDLE_TEST(suite, name, ...)                                                           \
  static void suite##_##name##_heddle_body();                                                   \
  TEST(suite, name) { EXPECT_HEDDLE(suite##_##name##_heddle_body __VA_OPT__(, ) __VA_ARGS__); } \
  static void suite##_##name##_heddle_body()

// With a fixture: it is set up once, in the test process, and every execution begins with its
// members as they are then.
#define HEDDLE_TEST_F(fixture, name, ...)                                      \
  class fixture##_##name##_heddle : public fixture {                           \
   protected:                                                                  \
    void heddle_body();                                                        \
  };                                                                           \
  GTEST_TEST_(fixture, name, fixture##_##name##_heddle,                        \
              ::testing::internal::GetTypeId<fixture>()) {                     \
    EXPECT_HEDDLE([this] { this->heddle_body(); } __VA_OPT__(, ) __VA_ARGS__); \
  }                                                                            \
  void fixture##_##name##_heddle::heddle_body()

#define HEDDLE_GTEST_CHECK_(on_failure, ...)                                       \
  switch (0)                                                                       \
  case 0:                                                                          \
  default:                                                                         \
    if (const auto heddle_outcome = ::heddle::internal::run_in_gtest(__VA_ARGS__); \
        heddle_outcome.ok)                                                         \
      ;                                                                            \
    else                                                                           \
      on_failure << heddle_outcome.text

namespace heddle::internal {

// Workers are forks of the test process, and have its listeners.
class GtestListener final : public testing::EmptyTestEventListener {
 public:
  // GoogleTest owns it.
  static bool add() {
    testing::UnitTest::GetInstance()->listeners().Append(new GtestListener);
    return true;
  }

 private:
  void OnTestPartResult(const testing::TestPartResult& result) override {
    if (!controlled()) return;
    if (result.skipped()) skip_in_framework();
    if (!result.failed()) return;
    int line = result.line_number();
    heddle_fail(result.message(), result.file_name(), line > 0 ? static_cast<unsigned>(line) : 0);
  }
};

inline const bool g_gtest_listens = GtestListener::add();

template <typename Test>
CheckOutcome run_in_gtest(Test&& test, const Options& options = {}) {
  CheckOutcome outcome = run_in_framework(test, options);
  if (outcome.discarded) [] { GTEST_SKIP() << "every execution was skipped or discarded"; }();
  return outcome;
}

}  // namespace heddle::internal
