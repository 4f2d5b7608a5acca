// Races: the atomic is constructed, with a plain write, while another thread loads it.
#include <atomic>
#include <new>
#include <thread>

alignas(8) char room[8];
int seen;

int main() {
  auto* shared = reinterpret_cast<std::atomic<int>*>(room);
  std::thread reader([=] {
    seen = shared->load();  // race
  });
  new (room) std::atomic<int>(1);  // race
  reader.join();
}
