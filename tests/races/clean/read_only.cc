// No race: two threads read what nobody writes any more.
#include <cassert>
#include <string>
#include <thread>
#include <vector>

const std::vector<std::string> words = {"one", "two", "three"};

void look() { assert(words.at(2) == "three" && words.size() == 3); }

int main() {
  std::thread other(look);
  look();
  other.join();
}
