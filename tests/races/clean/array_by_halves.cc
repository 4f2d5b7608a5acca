// No race: each thread works on its own half; main adds up after the join.
#include <cassert>
#include <thread>

int numbers[8];

void fill(int from, int to) {
  for (int i = from; i < to; ++i) numbers[i] = i;
}

int main() {
  std::thread upper(fill, 4, 8);
  fill(0, 4);
  upper.join();
  int sum = 0;
  for (int number : numbers) sum += number;
  assert(sum == 28);
}
