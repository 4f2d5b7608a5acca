// Names, messages and output that would be markup if somebody took them for it.
#include <heddle/heddle.h>

#include <atomic>
#include <cstdio>
#include <stdexcept>
#include <thread>

std::atomic<int> shared;

int main() {
  heddle::name(&shared, "<script>window.ran = 1</script>");
  std::puts("</script><script>window.ran = 2</script><!--");
  std::thread other([] { ++shared; });
  ++shared;
  other.join();
  throw std::runtime_error(
      "<img src=\"http://example.org/x.png\" onerror=\"window.ran = 3\">&amp;");
}
