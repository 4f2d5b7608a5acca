// A heddle::check that would take years.
#include <heddle/heddle.h>

#include <atomic>
#include <iostream>
#include <thread>

int main() {
  heddle::Report report = heddle::check(
      [] {
        std::atomic<int> counter{0};
        auto work = [&] {
          for (int i = 0; i < 20; ++i) ++counter;
        };
        std::thread first(work), second(work), third(work);
        first.join();
        second.join();
        third.join();
      },
      heddle::Options{}.no_preemption_bound());
  std::cout << report.text();
  return report.exit_code();
}
