// Without address space there is no control: what is missing is said.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: ulimit -v 50000000; %heddle run %t
// EXIT: 2
// OUT: the address space is limited to 50000000 KB
// RUN: %heddle run %t
#include <string>
#include <thread>
std::string made_before_main(100, 'x');
int main() {
  std::thread([] { std::string text(100, 'y'); }).join();
}
