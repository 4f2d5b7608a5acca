// Races: the thread leaves the barrier for good, and writes once more after that.
#include <barrier>
#include <thread>

std::barrier<> meeting(2);
int data, seen;

int main() {
  std::thread writer([] {
    meeting.arrive_and_drop();
    data = 42;  // race
  });
  meeting.arrive_and_wait();
  seen = data;  // race
  writer.join();
}
