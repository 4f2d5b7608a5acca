// Races: the std::function is called while another thread replaces it.
#include <functional>
#include <thread>

std::function<int()> callback = [] { return 1; };
int seen;

int main() {
  std::thread other([] {
    callback = nullptr;  // race
  });
  if (callback) seen = 1;  // race
  other.join();
}
