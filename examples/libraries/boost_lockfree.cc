// Boost.Lockfree: its queue, its stack and its queue for one producer and one consumer; and what
// happens when nodes are used again.
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/lockfree/queue.hpp>
#include <boost/lockfree/spsc_queue.hpp>
#include <boost/lockfree/stack.hpp>
#include <thread>
#include <vector>

namespace {

using Values = std::vector<int>;

template <typename Container>
Values drain(Container& container) {
  Values values;
  for (int value; container.pop(value);) values.push_back(value);
  return values;
}

void expect_sum(const Values& values, int sum) {
  int total = 0;
  for (int value : values) total += value;
  EXPECT_EQ(total, sum);
}

TEST(Queue, TwoProducers) {
  boost::lockfree::queue<int> queue(0);
  std::thread other([&] { EXPECT_TRUE(queue.push(1)); });
  EXPECT_TRUE(queue.push(2));
  other.join();
  Values values = drain(queue);
  EXPECT_TRUE((values == Values{1, 2} || values == Values{2, 1}));
}

TEST(Queue, ProducerAndConsumer) {
  boost::lockfree::queue<int> queue(0);
  std::thread producer([&] {
    EXPECT_TRUE(queue.push(1));
    EXPECT_TRUE(queue.push(2));
  });
  Values values;
  int value;
  if (queue.pop(value)) values.push_back(value);
  if (queue.pop(value)) values.push_back(value);
  producer.join();
  for (int rest : drain(queue)) values.push_back(rest);
  EXPECT_EQ(values, (Values{1, 2}));
}

// Each node is new: nobody reads one that has gone back to the free list.
TEST(Queue, ThreeProducers) {
  boost::lockfree::queue<int> queue(0);
  std::thread first([&] { EXPECT_TRUE(queue.push(1)); });
  std::thread second([&] { EXPECT_TRUE(queue.push(2)); });
  EXPECT_TRUE(queue.push(4));
  first.join();
  second.join();
  expect_sum(drain(queue), 7);
}

// Nodes go back to the free list and are used again.
TEST(Queue, NodesUsedAgain) {
  boost::lockfree::queue<int, boost::lockfree::capacity<2>> queue;
  auto push_and_pop = [&](int value) {
    EXPECT_TRUE(queue.push(value));
    EXPECT_TRUE(queue.pop(value));
  };
  std::thread other(push_and_pop, 1);
  push_and_pop(2);
  other.join();
  EXPECT_TRUE(queue.empty());
}

TEST(SpscQueue, Order) {
  boost::lockfree::spsc_queue<int, boost::lockfree::capacity<2>> queue;
  std::thread producer([&] {
    EXPECT_TRUE(queue.push(1));
    EXPECT_TRUE(queue.push(2));
  });
  Values values;
  int value;
  for (int tries = 0; tries < 3; ++tries)
    if (queue.pop(value)) values.push_back(value);
  producer.join();
  for (int rest : drain(queue)) values.push_back(rest);
  EXPECT_EQ(values, (Values{1, 2}));
}

// One slot: a push succeeds if what was there has been taken, and the slot is then another's.
TEST(SpscQueue, Full) {
  boost::lockfree::spsc_queue<int> queue(1);
  int pushed = 0;
  std::thread producer([&] {
    for (int i = 1; i <= 3; ++i) pushed += queue.push(i);
  });
  Values values;
  int value;
  for (int tries = 0; tries < 2; ++tries)
    if (queue.pop(value)) values.push_back(value);
  producer.join();
  for (int rest : drain(queue)) values.push_back(rest);
  EXPECT_EQ(values.size(), static_cast<size_t>(pushed));
  EXPECT_TRUE(std::is_sorted(values.begin(), values.end()));
}

// Two producers, where one is allowed.
TEST(SpscQueue, TwoProducers) {
  boost::lockfree::spsc_queue<int, boost::lockfree::capacity<2>> queue;
  std::thread other([&] { queue.push(1); });
  queue.push(2);
  other.join();
}

TEST(Stack, TwoProducers) {
  boost::lockfree::stack<int> stack(0);
  std::thread other([&] { EXPECT_TRUE(stack.push(1)); });
  EXPECT_TRUE(stack.push(2));
  other.join();
  Values values = drain(stack);
  EXPECT_TRUE((values == Values{1, 2} || values == Values{2, 1}));
}

TEST(Stack, ThreeProducers) {
  boost::lockfree::stack<int> stack(0);
  std::thread first([&] { EXPECT_TRUE(stack.push(1)); });
  std::thread second([&] { EXPECT_TRUE(stack.push(2)); });
  EXPECT_TRUE(stack.push(4));
  first.join();
  second.join();
  Values values;
  stack.consume_all([&](int value) { values.push_back(value); });
  expect_sum(values, 7);
}

TEST(Stack, NodesUsedAgain) {
  // Static: what it holds before it is made is the same every time.
  static boost::lockfree::stack<int, boost::lockfree::capacity<2>> stack;
  auto push_and_pop = [&](int value) {
    EXPECT_TRUE(stack.push(value));
    EXPECT_TRUE(stack.pop(value));
  };
  std::thread other(push_and_pop, 1);
  push_and_pop(2);
  other.join();
  EXPECT_TRUE(stack.empty());
}

}  // namespace
