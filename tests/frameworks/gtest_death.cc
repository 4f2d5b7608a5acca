// Tests that fork: one as it should be, one that does not die.
#include <gtest/gtest.h>

#include <cstdlib>

TEST(ShopDeathTest, Dies) { EXPECT_DEATH(abort(), ""); }
TEST(ShopDeathTest, Lives) { EXPECT_DEATH((void)0, ""); }
TEST(Shop, Exits) { EXPECT_EXIT(exit(3), testing::ExitedWithCode(3), ""); }
