// No race: a call that throws does not count; the next one sees what it left.
// tsan: its pthread_once hangs after an exception
#include <mutex>
#include <thread>

std::once_flag once;
int tries;

void use() {
  try {
    std::call_once(once, [] {
      if (++tries == 1) throw 1;
    });
  } catch (int) {
  }
}

int main() {
  std::thread one(use), other(use);
  one.join();
  other.join();
}
