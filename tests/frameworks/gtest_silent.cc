// heddle::check in a program of GoogleTest that does not include <heddle/gtest.h>, nor
// <heddle/heddle.h> behind GoogleTest's own header: what EXPECT_EQ notes must not be lost.
#include <heddle/heddle.h>
//
#include <gtest/gtest.h>

#include "stock.h"

TEST(Silent, Fails) {
  heddle::Report report = heddle::check([] {
    Stock stock(1);
    EXPECT_EQ(sell(&stock), 0);
  });
  EXPECT_TRUE(report.ok()) << report.text();
}

TEST(Silent, FailsBefore) {
  EXPECT_TRUE(false) << "in the test process";
  heddle::Report report = heddle::check([] {});
  EXPECT_TRUE(report.ok()) << report.text();
}
