// A suite of Catch2 with <heddle/catch2.h>, and ordinary tests beside it. -DPLAIN: those alone,
// without the header. -DMAIN: with the main function of version 2, which takes long to compile.
#ifdef MAIN
#define CATCH_CONFIG_MAIN
#endif
#if !defined(PLAIN)
#include <heddle/catch2.h>
#elif __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_test_macros.hpp>
#else
#include <catch2/catch.hpp>
#endif

#include <stdexcept>

#include "stock.h"

TEST_CASE("plain passes", "[plain]") {
  Stock stock(2);
  CHECK(sell(&stock) == 0);
}

TEST_CASE("plain, with [brackets] and \"quotes\"", "[plain]") {
  Stock stock(1);
  INFO("one item was sold twice");
  CHECK(sell(&stock) == 0);
}

TEST_CASE("plain throws", "[plain]") {
  Stock stock(1);
  if (sell(&stock) < 0) throw std::runtime_error("sold out");
}

TEST_CASE("plain may fail", "[plain][!mayfail]") { CHECK(false); }

TEST_CASE("plain hidden", "[.]") { FAIL("nobody asks for it"); }

#ifdef SKIP  // since version 3.3
TEST_CASE("plain skipped", "[plain]") { SKIP("not on Mondays"); }
#endif

TEST_CASE("~plain sections", "[plain]") {
  Stock stock(2);
  SECTION("none") { CHECK(stock.items() == 2); }
  SECTION("two") { CHECK(sell(&stock) == 0); }
}

#ifndef PLAIN

HEDDLE_TEST_CASE("header passes", "[header]") {
  Stock stock(2);
  CHECK(sell(&stock) == 0);
}

HEDDLE_TEST_CASE("header fails", "[header]") {
  Stock stock(1);
  CHECK(sell(&stock) == 0);
}

HEDDLE_TEST_CASE("header throws", "[header]") {
  Stock stock(1);
  if (sell(&stock) < 0) throw std::runtime_error("sold out");
}

TEST_CASE("header goes on", "[header]") {
  CHECK_HEDDLE([] {
    Stock stock(1);
    REQUIRE(sell(&stock) == 0);
  });
  CHECK_HEDDLE([] { CHECK(true); }, heddle::Options{}.executions(1));
  REQUIRE_HEDDLE([] { FAIL("explicitly"); });
  FAIL("it has not ended there");
}

TEST_CASE("header checks", "[header]") {
  const int line = __LINE__ + 3;
  heddle::Report report = heddle::check([] {
    Stock stock(1);
    CHECK(sell(&stock) == 0);
  });
  REQUIRE(report.failures().size() == 1);
  CHECK(report.failures()[0].kind == "assertion");
  CHECK(report.failures()[0].location == "catch2_suite.cc:" + std::to_string(line));
}

#endif
