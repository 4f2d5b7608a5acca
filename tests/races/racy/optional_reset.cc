// Races: the optional is looked into while another thread empties it.
#include <optional>
#include <thread>

std::optional<int> box = 1;
int seen;

int main() {
  std::thread other([] {
    box.reset();  // race
  });
  if (box.has_value()) seen = 1;  // race
  other.join();
}
