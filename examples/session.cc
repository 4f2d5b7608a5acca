// A session that may be closed while somebody is about to use it. Everything happens under the
// lock; but between the look and the use the lock is let go.
#include <mutex>
#include <thread>

struct Session {
  int requests = 0;
};

std::mutex mutex;
Session* current;

Session* look() {
  std::lock_guard lock(mutex);
  return current;
}

void serve() {
  if (Session* session = look()) {
    std::lock_guard lock(mutex);
    ++session->requests;
  }
}

void end() {
  std::lock_guard lock(mutex);
  delete current;
  current = nullptr;
}

int main() {
  current = new Session;
  std::thread server(serve);
  std::thread closer(end);
  server.join();
  closer.join();
}
