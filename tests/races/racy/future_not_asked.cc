// Races: the result is read without asking the future.
#include <future>

int data, seen;

int main() {
  std::future<void> done = std::async(std::launch::async, [] {
    data = 42;  // race
  });
  seen = data;  // race
  done.get();
}
