// A suite of doctest with <heddle/doctest.h>, and ordinary tests beside it. -DPLAIN: those alone,
// without the header.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#ifdef PLAIN
#include <doctest/doctest.h>
#else
#include <heddle/doctest.h>
#endif

#include <stdexcept>

#include "stock.h"

TEST_CASE("plain passes") {
  Stock stock(2);
  CHECK(sell(&stock) == 0);
}

TEST_CASE("plain, with [brackets] and \"quotes\"") {
  Stock stock(1);
  INFO("one item was sold twice");
  CHECK(sell(&stock) == 0);
}

TEST_CASE("plain throws") {
  Stock stock(1);
  if (sell(&stock) < 0) throw std::runtime_error("sold out");
}

TEST_CASE("plain skipped" * doctest::skip()) { FAIL("nobody asks for it"); }

TEST_CASE("plain may fail" * doctest::may_fail()) { CHECK(false); }

TEST_SUITE("a suite") {
  TEST_CASE("subcases") {
    Stock stock(2);
    SUBCASE("none") { CHECK(stock.items() == 2); }
    SUBCASE("two") { CHECK(sell(&stock) == 0); }
  }
}

#ifndef PLAIN

HEDDLE_TEST_CASE("header passes") {
  Stock stock(2);
  CHECK(sell(&stock) == 0);
}

HEDDLE_TEST_CASE("header fails") {
  Stock stock(1);
  CHECK(sell(&stock) == 0);
}

HEDDLE_TEST_CASE("header throws") {
  Stock stock(1);
  if (sell(&stock) < 0) throw std::runtime_error("sold out");
}

TEST_CASE("header goes on") {
  CHECK_HEDDLE([] {
    Stock stock(1);
    REQUIRE(sell(&stock) == 0);
  });
  CHECK_HEDDLE([] { CHECK(true); }, heddle::Options{}.executions(1));
  REQUIRE_HEDDLE([] { FAIL("explicitly"); });
  FAIL("it has not ended there");
}

TEST_CASE("header checks") {
  const int line = __LINE__ + 3;
  heddle::Report report = heddle::check([] {
    Stock stock(1);
    CHECK(sell(&stock) == 0);
  });
  REQUIRE(report.failures().size() == 1);
  CHECK(report.failures()[0].kind == "assertion");
  CHECK(report.failures()[0].location == "doctest_suite.cc:" + std::to_string(line));
}

#endif
