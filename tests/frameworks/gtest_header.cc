// A suite of GoogleTest with <heddle/gtest.h>: for the framework's own runner, and for `heddle
// gtest`.
#include <heddle/gtest.h>

#include <stdexcept>

#include "stock.h"

HEDDLE_TEST(Header, Passes) {
  Stock stock(2);
  EXPECT_EQ(sell(&stock), 0);
}

HEDDLE_TEST(Header, Fails) {
  Stock stock(1);
  EXPECT_EQ(sell(&stock), 0) << "one item was sold twice";
}

HEDDLE_TEST(Header, Throws) {
  Stock stock(1);
  if (sell(&stock) < 0) throw std::runtime_error("sold out");
}

HEDDLE_TEST(Header, Skips) {
  Stock stock(1);
  GTEST_SKIP() << "not on Mondays";
}

// An assertion in another thread.
HEDDLE_TEST(Header, FailsElsewhere, heddle::Options{}.preemptions(2)) {
  Stock stock(1);
  std::thread other([&] {
    stock.take();
    EXPECT_GE(stock.items(), 0);
  });
  stock.take();
  other.join();
}

class HeaderShop : public testing::Test {
 protected:
  void SetUp() override { stock_ = std::make_unique<Stock>(1); }
  std::unique_ptr<Stock> stock_;
};
HEDDLE_TEST_F(HeaderShop, Fails) { ASSERT_EQ(sell(stock_.get()), 0); }
HEDDLE_TEST_F(HeaderShop, Passes) { ASSERT_LE(sell(stock_.get()), 0); }

TEST(Header, GoesOn) {
  EXPECT_HEDDLE([] {
    Stock stock(1);
    EXPECT_EQ(sell(&stock), 0);
  });
  EXPECT_HEDDLE([] { EXPECT_EQ(1, 1); }, heddle::Options{}.executions(1));
  RecordProperty("went", "on");
}

TEST(Header, EndsThere) {
  ASSERT_HEDDLE([] { HEDDLE_ASSERT(false); });
  RecordProperty("went", "too far");
}

// The classic way, with an assertion of GoogleTest in what is checked.
TEST(Header, Checks) {
  const int line = __LINE__ + 3;
  heddle::Report report = heddle::check([] {
    Stock stock(1);
    EXPECT_EQ(sell(&stock), 0);
  });
  EXPECT_FALSE(report.ok());
  ASSERT_EQ(report.failures().size(), 1u);
  EXPECT_EQ(report.failures()[0].kind, "assertion");
  EXPECT_EQ(report.failures()[0].location, "gtest_header.cc:" + std::to_string(line));
}
