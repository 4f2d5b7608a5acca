// No race: the lock moves to the callee, which releases it after its last access.
#include <mutex>
#include <thread>

std::mutex mutex;
int counter;

void finish(std::unique_lock<std::mutex> lock) {
  ++counter;
  lock.unlock();
}

void work() {
  std::unique_lock lock(mutex);
  ++counter;
  finish(std::move(lock));
}

int main() {
  std::thread one(work), other(work);
  one.join();
  other.join();
}
