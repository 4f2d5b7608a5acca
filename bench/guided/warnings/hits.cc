// Hits and bytes are counted by two threads, under two locks that are not the same.
#include <mutex>
#include <thread>

static std::mutex page_mutex;
static std::mutex image_mutex;
static int hits = 0;
static int bytes = 0;

static void hit_page() {
  std::lock_guard guard(page_mutex);
  ++hits;
}

static void send_page() {
  std::lock_guard guard(page_mutex);
  bytes += 2000;
}

static void hit_image() {
  std::lock_guard guard(image_mutex);
  ++hits;
}

static void send_image() {
  std::lock_guard guard(image_mutex);
  bytes += 90000;
}

int main() {
  std::thread pages([] {
    hit_page();
    send_page();
  });
  std::thread images([] {
    send_image();
    hit_image();
  });
  pages.join();
  images.join();
  return hits <= 2 && bytes <= 92000 ? 0 : 1;
}
