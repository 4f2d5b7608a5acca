#include "symbols/name_pattern.h"

#include <gtest/gtest.h>

namespace heddle::symbols {
namespace {

constexpr char kWhole[] = "ns::Port<int, std::allocator<int> >::enqueue(int const&)";

TEST(NamePattern, MatchesAsFarAsItIsQualified) {
  EXPECT_TRUE(NamePattern("enqueue").matches(kWhole));
  EXPECT_TRUE(NamePattern("enqueue()").matches(kWhole));
  EXPECT_TRUE(NamePattern("Port::enqueue").matches(kWhole));
  EXPECT_TRUE(NamePattern("ns::Port::enqueue").matches(kWhole));
  EXPECT_TRUE(NamePattern("::ns::Port::enqueue").matches(kWhole));
  EXPECT_FALSE(NamePattern("Port").matches(kWhole));
  EXPECT_FALSE(NamePattern("ort::enqueue").matches(kWhole));
  EXPECT_FALSE(NamePattern("other::Port::enqueue").matches(kWhole));
  EXPECT_FALSE(NamePattern("enqueue_all").matches(kWhole));
  EXPECT_TRUE(NamePattern("main").matches("main"));
}

TEST(NamePattern, TemplateArgumentsCountWhereTheyAreGiven) {
  EXPECT_TRUE(NamePattern("Port<int, std::allocator<int>>::enqueue").matches(kWhole));
  EXPECT_TRUE(NamePattern("Port<int,*>::enqueue").matches(kWhole));
  EXPECT_FALSE(NamePattern("Port<long, std::allocator<int>>::enqueue").matches(kWhole));
  EXPECT_FALSE(NamePattern("allocator<int>").matches(kWhole));
  // A function that is a template itself has its return type in its name.
  EXPECT_TRUE(NamePattern("pop<int>").matches("std::optional<int> ns::pop<int>(ns::Port<int>&)"));
  EXPECT_TRUE(NamePattern("pop").matches("std::optional<int> ns::pop<int>(ns::Port<int>&)"));
}

TEST(NamePattern, StarsStandForAnything) {
  EXPECT_TRUE(NamePattern("Port::*").matches(kWhole));
  EXPECT_TRUE(NamePattern("*queue").matches(kWhole));
  EXPECT_TRUE(NamePattern("Port::en*e").matches(kWhole));
  EXPECT_TRUE(NamePattern("*").matches(kWhole));
  EXPECT_FALSE(NamePattern("Queue::*").matches(kWhole));
  EXPECT_FALSE(NamePattern("en*x").matches(kWhole));
}

TEST(NamePattern, OperatorsAndLambdas) {
  EXPECT_TRUE(NamePattern("Bag::operator()").matches("Bag::operator()(int)"));
  EXPECT_TRUE(NamePattern("operator<").matches("Bag::operator<(Bag const&) const"));
  EXPECT_TRUE(NamePattern("Bag::operator bool").matches("Bag::operator bool() const"));
  EXPECT_TRUE(NamePattern("~Bag").matches("Bag::~Bag()"));
  EXPECT_TRUE(NamePattern("main::{lambda}").matches("main::{lambda()#1}::operator()() const"));
}

TEST(NamePattern, OthersAreToldInTheSameForm) {
  EXPECT_EQ(NamePattern("enqueu").alike(kWhole), "enqueue");
  EXPECT_EQ(NamePattern("Prt::enqueue").alike(kWhole), "Port::enqueue");
  EXPECT_EQ(NamePattern("Port<long>::enqueue").alike(kWhole),
            "Port<int,std::allocator<int>>::enqueue");
}

}  // namespace
}  // namespace heddle::symbols
