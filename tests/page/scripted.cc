// A scenario that fails: both threads read before one of them writes.
#include <heddle/scenario.h>

#include <atomic>
#include <cstdio>

using namespace heddle::script;

int main() {
  heddle::Report report = heddle::scenario([](heddle::Script& s) {
                            std::atomic<int> counter{0};
                            auto increase = [&] {
                              int seen = counter.load();
                              counter.store(seen + 1);
                            };
                            auto first = s.thread("first", increase);
                            auto second = s.thread("second", increase);
                            s.transfer(first).until(writes(counter));
                            s.transfer(second).until(end);
                            s.transfer(first).until(end);
                            HEDDLE_ASSERT(counter == 2);
                          }).forall();
  std::puts(report.text().c_str());
  return report.exit_code();
}
