// A plugin is called while it is destroyed: which function that is depends on how far its
// destructors are.
#include <new>
#include <thread>

class Plugin {
 public:
  virtual ~Plugin();
  virtual void tick() { ++ticks; }
  static inline int ticks = 0;
};

[[gnu::noinline]] static void last_tick(Plugin* plugin) { plugin->tick(); }

Plugin::~Plugin() { last_tick(this); }

class Clock : public Plugin {
 public:
  void tick() override {}
};

int main() {
  alignas(Clock) static unsigned char memory[sizeof(Clock)];
  Plugin* plugin = new (memory) Clock;
  std::thread timer([plugin] { plugin->tick(); });
  plugin->~Plugin();
  timer.join();
}
