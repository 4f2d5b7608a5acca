// No race: the map is searched and changed with the mutex held.
#include <map>
#include <mutex>
#include <string>
#include <thread>

std::mutex mutex;
std::map<int, std::string> names;

int main() {
  std::thread other([] {
    std::lock_guard lock(mutex);
    names[1] = "one";
  });
  {
    std::lock_guard lock(mutex);
    auto found = names.find(1);
    if (found != names.end()) found->second += "!";
  }
  other.join();
}
