// The two tests of figure 1 of the CONCURRIT paper, with the number of executions of each.
// COMPILERS: gcc clang
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %t
// OUT: ^test 1: as many as the model
// OUT: ^test 2: 8 realised, 5 infeasible
// RUN: HEDDLE_OPTIONS="--jobs 2 --strategy dfs" %t
// OUT: ^test 1: as many as the model
// OUT: ^test 2: 8 realised, 5 infeasible
// RUN: HEDDLE_OPTIONS="--isolation fork" %t
// OUT: ^test 2: 8 realised, 5 infeasible
#include <heddle/scenario.h>

#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <nlohmann/json.hpp>

using namespace heddle::script;

// Room is always enough. A consumer that finds it empty says so, and waits.
class Buffer {
 public:
  void put() {
    std::lock_guard lock(mutex_);
    ++size_;
    ready_.notify_one();
  }
  void get() {
    std::unique_lock lock(mutex_);
    if (size_ == 0) {
      lock.unlock();
      HEDDLE_YIELD("Await");
      lock.lock();
      ready_.wait(lock, [&] { return size_ > 0; });
    }
    --size_;
  }
  int size() const { return size_; }

 private:
  std::mutex mutex_;
  std::condition_variable ready_;
  int size_ = 0;
};

// Test 1, as a model: each thread is a piece, but for a consumer that finds the buffer empty, which
// has two; and one that is let go in its second while there is nothing is stuck: infeasible.
struct Count {
  long realised = 0;
  long infeasible = 0;
};
void model(int producers, int fresh, int waiting, int size, long ways, Count* count) {
  if (producers + fresh + waiting == 0) count->realised += ways;
  if (producers > 0) model(producers - 1, fresh, waiting, size + 1, ways * producers, count);
  if (fresh > 0 && size > 0) model(producers, fresh - 1, waiting, size - 1, ways * fresh, count);
  if (fresh > 0 && size == 0) model(producers, fresh - 1, waiting + 1, size, ways * fresh, count);
  if (waiting > 0 && size > 0)
    model(producers, fresh, waiting - 1, size - 1, ways * waiting, count);
  if (waiting > 0 && size == 0) count->infeasible += ways * waiting;
}

Count count_of(const heddle::Report& report) {
  if (report.exit_code() != 0) std::printf("%s", report.text().c_str());
  auto json = nlohmann::json::parse(report.json());
  return {json["realised"], json["infeasible"]};
}

int main() {
  heddle::Report first = heddle::scenario([](heddle::Script& s) {
    Buffer buffer;
    s.only_labels();
    s.thread("P1", [&] { buffer.put(); });
    s.thread("P2", [&] { buffer.put(); });
    s.thread("C1", [&] { buffer.get(); });
    s.thread("C2", [&] { buffer.get(); });
    while (!s.all_ended()) {
      s.transfer(any).until(any);
      HEDDLE_ASSERT(buffer.size() >= 0 && buffer.size() <= 2);
    }
  });
  Count expected;
  model(2, 2, 0, 0, 1, &expected);
  Count found = count_of(first);
  bool same = found.realised == expected.realised && found.infeasible == expected.infeasible;
  std::printf("test 1: %s (%ld, %ld)\n", same ? "as many as the model" : "OTHERS", found.realised,
              found.infeasible);

  // T1 leaves C1 at "Await". T2, all orders of P1, P2 and C2 until C2 has ended:
  //   C2 first, which stops at "Await": then C2 is stuck (1 infeasible), or P1 C2, P1 P2 C2, and
  //   the same with P2 first (4); P1 C2, P1 P2 C2, and with P2 first (4).
  // In half of these 8 both producers are done, and C1 is left, with something to get: 4. In the
  // others C1 and a producer are: C1 first is stuck (4 infeasible), the producer first is fine: 4.
  heddle::Report second = heddle::scenario([](heddle::Script& s) {
    Buffer buffer;
    s.only_labels();
    auto p1 = s.thread("P1", [&] { buffer.put(); });
    auto p2 = s.thread("P2", [&] { buffer.put(); });
    auto c1 = s.thread("C1", [&] { buffer.get(); });
    auto c2 = s.thread("C2", [&] { buffer.get(); });
    s.transfer(c1).until("Await");
    s.with(p1, p2, c2, [&] {
      while (!s.ended(c2)) s.transfer(any).until(any);
    });
    HEDDLE_ASSERT(buffer.size() <= 1);
    while (!s.all_ended()) s.transfer(any).until(end);
    HEDDLE_ASSERT(buffer.size() == 0);
  });
  Count counts = count_of(second);
  std::printf("test 2: %ld realised, %ld infeasible\n", counts.realised, counts.infeasible);
  return first.ok() && second.ok() ? 0 : 1;
}
