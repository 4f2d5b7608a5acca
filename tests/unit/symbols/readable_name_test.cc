#include "symbols/readable_name.h"

#include <gtest/gtest.h>

namespace heddle::symbols {
namespace {

TEST(ReadableName, Functions) {
  EXPECT_EQ(readable_function("main"), "main()");
  EXPECT_EQ(readable_function("_ZN11Philosopher3eatEv"), "Philosopher::eat()");
  EXPECT_EQ(readable_function("_ZNK11Philosopher3eatEi"), "Philosopher::eat()");
  EXPECT_EQ(readable_function("_ZN12_GLOBAL__N_16secretEi"), "secret()");
  EXPECT_EQ(readable_function("_ZNSt6vectorIiSaIiEE9push_backERKi"), "std::vector::push_back()");
  EXPECT_EQ(readable_function("_ZSt4moveIRiEONSt16remove_referenceIT_E4typeEOS2_"), "std::move()");
  EXPECT_EQ(readable_function("_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE6appendEPKc"),
            "std::basic_string::append()");
  EXPECT_EQ(readable_function("_ZN1AC2Ev"), "A::A()");
  EXPECT_EQ(readable_function("_ZN1AD0Ev"), "A::~A()");
  EXPECT_EQ(readable_function("_Z3foov.constprop.0"), "foo()");
  EXPECT_EQ(readable_function("_Znot_a_name"), "_Znot_a_name()");
  EXPECT_EQ(readable_function(""), "");
}

TEST(ReadableName, Operators) {
  EXPECT_EQ(readable_function("_ZN1AclEv"), "A::operator()()");
  EXPECT_EQ(readable_function("_ZN1AixEi"), "A::operator[]()");
  EXPECT_EQ(readable_function("_ZltRK1AS1_"), "operator<()");
  EXPECT_EQ(readable_function("_ZlsRSoRK1A"), "operator<<()");
  EXPECT_EQ(readable_function("_ZN1AptEv"), "A::operator->()");
  EXPECT_EQ(readable_function("_ZN1AssERKS_"), "A::operator<=>()");
  EXPECT_EQ(readable_function("_ZN1AcvbEv"), "A::operator bool()");
  EXPECT_EQ(readable_function("_Znwm"), "operator new()");
  EXPECT_EQ(readable_function("_ZNSt13__atomic_baseIiEpLEi"), "std::__atomic_base::operator+=()");
  EXPECT_EQ(shorten_function("bool std::operator< <int>(std::optional<int> const&, int const&)"),
            "std::operator<()");
}

TEST(ReadableName, Lambdas) {
  EXPECT_EQ(readable_function("_ZZ4mainENKUlvE_clEv"), "main::{lambda}");  // GCC
  EXPECT_EQ(readable_function("_ZZ4mainENK3$_0clEv"), "main::{lambda}");   // Clang
  EXPECT_EQ(readable_function("_ZZN1A3runEvENKUlvE0_clEv"), "A::run::{lambda}");
  EXPECT_EQ(readable_function("_ZZ4mainENUlvE_4_FUNEv"), "main::{lambda}");
  EXPECT_EQ(shorten_function("main::<lambda(int)>::operator()"), "main::{lambda}");
  EXPECT_EQ(readable_function(
                "_ZNSt6thread11_State_implINS_8_InvokerISt5tupleIJZ4mainEUlvE_EEEEE6_M_runEv"),
            "std::thread::_State_impl::_M_run()");
}

TEST(ReadableName, Variables) {
  EXPECT_EQ(readable_variable("counter"), "counter");
  EXPECT_EQ(readable_variable("_ZN4bank5totalE"), "bank::total");
  EXPECT_EQ(readable_variable("_ZZ3foovE5calls"), "foo::calls");
  EXPECT_EQ(readable_variable("_ZGVZ3foovE5calls"), "guard variable for foo::calls");
  EXPECT_EQ(readable_variable("_ZTV1A"), "vtable for A");
}

TEST(ReadableName, AnyTextIsTaken) {
  for (const char* text :
       {"(", "<", "{", "a<(b", "operator", "operator<", "->", "$_", "{lambda", " ", "::"}) {
    EXPECT_FALSE(shorten_function(text).empty()) << text;
  }
}

}  // namespace
}  // namespace heddle::symbols
