// What --retries last does not go with is said.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --retries last %t
// EXIT: 2
// OUT: --retries last goes with --reduce dpor
// RUN: %heddle run --reduce dpor --strategy dfs --races ignore --retries last %t
// EXIT: 2
// OUT: leave out --races ignore or --retries
int main() { return 0; }
