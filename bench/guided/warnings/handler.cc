// Handlers are null until somebody installs one. One is installed while it may be called, the other
// before.
#include <atomic>
#include <thread>

struct Handler {
  int calls = 0;
};

static Handler handler;
static std::atomic<bool> installed{false};
static std::atomic<bool> started{false};

static void call() {
  Handler* target = nullptr;
  if (installed.load()) target = &handler;
  target->calls = 1;
}

static void call_started() {
  Handler* target = nullptr;
  if (started.load()) target = &handler;
  target->calls = 2;
}

int main() {
  started.store(true);
  std::thread first(call_started);
  first.join();
  std::thread installer([] { installed.store(true); });
  std::thread caller(call);
  installer.join();
  caller.join();
  return handler.calls == 1 ? 0 : 1;
}
