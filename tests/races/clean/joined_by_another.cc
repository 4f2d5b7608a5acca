// No race: main joins the thread that joined the writer.
#include <cassert>
#include <thread>

int data;

int main() {
  std::thread writer([] { data = 42; });
  std::thread joiner([&] { writer.join(); });
  joiner.join();
  assert(data == 42);
}
