// What the suites of this folder test: a stock from which two buyers may take the last item both.
#pragma once

#include <atomic>
#include <thread>

class Stock {
 public:
  explicit Stock(int items) : items_(items) {}
  void take() {
    if (items_.load() == 0) return;
    items_.fetch_sub(1);
  }
  int items() const { return items_.load(); }

 private:
  std::atomic<int> items_;
};

// Two buyers; what is left.
inline int sell(Stock* stock) {
  std::thread other([=] { stock->take(); });
  stock->take();
  other.join();
  return stock->items();
}
