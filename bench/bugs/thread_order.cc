// A thread that finds what its creator knows of it in a shared variable, as a browser had it.
// program: thread_order
// bug: assertion: the creator sets the variable after it has started the thread.
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

struct State {
  std::atomic<int> events{0};
  std::thread thread;
};

static std::atomic<State*> current{nullptr};

static void run(State* state) {
  for (int i = 0; i < 5; ++i) ++state->events;  // what is to be set up takes a while
  assert(current.load() == state);
}

int main() {
  auto state = std::make_unique<State>();
  state->thread = std::thread(run, state.get());
  current.store(state.get());
  state->thread.join();
}
