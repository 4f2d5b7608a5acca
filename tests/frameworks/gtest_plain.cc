// An ordinary suite of GoogleTest, which knows nothing of Heddle: for `heddle gtest`.
#include <gtest/gtest.h>

#include <cstdlib>
#include <stdexcept>

#include "stock.h"

TEST(Plain, Passes) {
  Stock stock(2);
  EXPECT_EQ(sell(&stock), 0);
}

TEST(Plain, Fails) {
  Stock stock(1);
  EXPECT_EQ(sell(&stock), 0) << "one item was sold twice";
}

TEST(Plain, Throws) {
  Stock stock(1);
  if (sell(&stock) < 0) throw std::runtime_error("sold out");
}

TEST(Plain, Skips) { GTEST_SKIP() << "not on Mondays"; }

TEST(Plain, DISABLED_Off) { FAIL(); }

class Shop : public testing::Test {
 protected:
  static void SetUpTestSuite() { s_opened = 2; }
  static void TearDownTestSuite() { s_opened = 0; }
  void SetUp() override { stock_ = std::make_unique<Stock>(s_opened); }
  std::unique_ptr<Stock> stock_;
  static inline int s_opened = 0;
};
TEST_F(Shop, HasAFixture) { EXPECT_EQ(sell(stock_.get()), 0); }

class Sizes : public testing::TestWithParam<int> {};
TEST_P(Sizes, AreSold) {
  Stock stock(GetParam());
  EXPECT_GE(sell(&stock), 0);
}
INSTANTIATE_TEST_SUITE_P(Few, Sizes, testing::Values(1, 3));

template <typename T>
class Typed : public testing::Test {};
using Types = testing::Types<int, long>;
TYPED_TEST_SUITE(Typed, Types);
TYPED_TEST(Typed, IsLarge) { EXPECT_GE(sizeof(TypeParam), 4u); }

TEST(PlainDeathTest, Dies) { EXPECT_DEATH(abort(), ""); }
