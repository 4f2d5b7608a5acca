// Where each thread of a test stands, for the states that it declares: the number of its next
// operation. Noted before each one; that is no operation itself.
#pragma once

#include <array>

inline thread_local int self;  // number of the thread in the test; the test sets it
inline std::array<signed char, 4> places;

inline void at(int place) { places[self] = static_cast<signed char>(place); }
