// Which of its library's bugs a program is built with: -DBUG=6; without it, none.
#pragma once

#ifndef BUG
#define BUG 0
#endif

constexpr bool has_bug(int number) { return BUG == number; }
