// A monitor within a monitor: a shop whose methods hold its lock, and a store that waits until it
// has goods.
// program: nested_monitor
// bug: deadlock: the customer who waits in the store gives its lock back and keeps that of the
// shop,
//   so that nobody can deliver.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

class Store {
 public:
  void put() {
    std::lock_guard guard(mutex_);
    ++goods_;
    delivered_.notify_one();
  }
  void take() {
    std::unique_lock lock(mutex_);
    delivered_.wait(lock, [&] { return goods_ > 0; });
    --goods_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable delivered_;
  int goods_ = 0;
};

class Shop {
 public:
  void deliver() {
    std::lock_guard guard(mutex_);
    store_.put();
  }
  void sell() {
    std::lock_guard guard(mutex_);
    store_.take();
  }

 private:
  std::mutex mutex_;
  Store store_;
};

static Shop shop;

int main() {
  std::thread supplier([] {
    shop.deliver();
    shop.deliver();
  });
  std::thread customer([] {
    shop.sell();
    shop.sell();
  });
  supplier.join();
  customer.join();
}
