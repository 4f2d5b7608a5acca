// Races: the string is read while another thread changes it.
#include <string>
#include <thread>

std::string text = "one";
bool seen;

int main() {
  std::thread other([] {
    text[0] = 'O';  // race
  });
  seen = text[0] == 'o';  // race
  other.join();
}
