// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --json %t.json %t
// EXIT: 1
// OUT: SIGILL
// JSON: j["failures"][0]["kind"] == "crash" and j["failures"][0]["location"] == "illegal_instruction.cc:7"
#include <thread>
void execute() { __builtin_trap(); }
int main() { std::thread(execute).join(); }
