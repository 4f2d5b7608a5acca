// A session is closed, and deleted, while a request may still be on its way.
#include <thread>

struct Session {
  int requests = 0;
};

static Session* session = nullptr;

static void serve() {
  Session* mine = session;
  mine->requests += 1;
}

static void hang_up() { delete session; }

int main() {
  session = new Session;
  std::thread server(serve);
  std::thread closer(hang_up);
  server.join();
  closer.join();
}
