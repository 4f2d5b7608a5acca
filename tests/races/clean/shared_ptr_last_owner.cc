// No race: the last owner destroys the object after the other owners have let go of it.
#include <memory>
#include <thread>

struct Pair {
  int left = 0, right = 0;
};

int main() {
  auto pair = std::make_shared<Pair>();
  std::thread other([mine = pair] { mine->left = 1; });
  pair->right = 1;
  pair.reset();
  other.join();
}
