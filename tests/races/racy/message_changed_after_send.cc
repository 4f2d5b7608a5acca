// Races: the sender changes the message after it has put it into the mailbox.
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable filled;
int* mailbox;
int message, seen;

int main() {
  std::thread sender([] {
    {
      std::lock_guard lock(mutex);
      mailbox = &message;
    }
    filled.notify_one();
    message = 2;  // race
  });
  {
    std::unique_lock lock(mutex);
    filled.wait(lock, [] { return mailbox != nullptr; });
  }
  seen = *mailbox;  // race
  sender.join();
}
