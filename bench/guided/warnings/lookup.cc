// Routes are looked up while they are published, and defaults after that. Both are used even if
// they were not found.
#include <atomic>
#include <thread>

struct Route {
  int hops;
};

static Route direct{1};
static Route fallback{9};
static std::atomic<Route*> published{nullptr};
static std::atomic<Route*> defaults{nullptr};
static std::atomic<int> misses{0};

static Route* find() { return published.load(); }
static Route* find_default() { return defaults.load(); }

static int hops() {
  Route* route = find();
  if (route == nullptr) ++misses;
  return route->hops;
}

static int default_hops() {
  Route* route = find_default();
  if (route == nullptr) ++misses;
  return route->hops;
}

int main() {
  defaults.store(&fallback);
  int found = 0;
  std::thread publisher([] { published.store(&direct); });
  std::thread user([&] { found = hops() + default_hops(); });
  publisher.join();
  user.join();
  return found == 10 ? 0 : 1;
}
