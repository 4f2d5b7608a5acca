// ConcurrentQueue and BlockingConcurrentQueue of moodycamel. (A wait with a time limit is not among
// the tests: it spins for a producer that stands between its two steps.)
#include <concurrentqueue/blockingconcurrentqueue.h>
#include <concurrentqueue/concurrentqueue.h>
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

namespace {

using Values = std::vector<int>;

// Small blocks and few of them, so that few operations reach what happens between blocks; a waiting
// consumer looks twice before it blocks.
struct Small : moodycamel::ConcurrentQueueDefaultTraits {
  static const size_t BLOCK_SIZE = 2;
  static const size_t EXPLICIT_INITIAL_INDEX_SIZE = 2;
  static const size_t IMPLICIT_INITIAL_INDEX_SIZE = 2;
  static const size_t INITIAL_IMPLICIT_PRODUCER_HASH_SIZE = 4;
  static const int MAX_SEMA_SPINS = 2;
};
using Queue = moodycamel::ConcurrentQueue<int, Small>;
using BlockingQueue = moodycamel::BlockingConcurrentQueue<int, Small>;

void drain(Queue& queue, Values& values) {
  for (int value; queue.try_dequeue(value);) values.push_back(value);
}

TEST(ConcurrentQueue, ProducerAndConsumer) {
  Queue queue;
  std::thread producer([&] {
    EXPECT_TRUE(queue.enqueue(1));
    EXPECT_TRUE(queue.enqueue(2));
  });
  Values values;
  int value;
  if (queue.try_dequeue(value)) values.push_back(value);
  if (queue.try_dequeue(value)) values.push_back(value);
  producer.join();
  drain(queue, values);
  EXPECT_EQ(values, (Values{1, 2}));
}

TEST(ConcurrentQueue, TwoProducers) {
  Queue queue;
  std::thread other([&] { EXPECT_TRUE(queue.enqueue(1)); });
  EXPECT_TRUE(queue.enqueue(2));
  other.join();
  Values values;
  drain(queue, values);
  EXPECT_TRUE((values == Values{1, 2} || values == Values{2, 1}));
}

TEST(ConcurrentQueue, TwoConsumers) {
  Queue queue;
  EXPECT_TRUE(queue.enqueue(1));
  EXPECT_TRUE(queue.enqueue(2));
  int first = 0, second = 0;
  std::thread other([&] { EXPECT_TRUE(queue.try_dequeue(first)); });
  EXPECT_TRUE(queue.try_dequeue(second));
  other.join();
  EXPECT_EQ(first + second, 3);
}

TEST(ConcurrentQueue, Tokens) {
  Queue queue;
  moodycamel::ProducerToken mine(queue);
  std::thread producer([&] {
    moodycamel::ProducerToken token(queue);
    EXPECT_TRUE(queue.enqueue(token, 1));
    EXPECT_TRUE(queue.enqueue(token, 2));
    EXPECT_TRUE(queue.enqueue(token, 3));
  });
  Values values;
  moodycamel::ConsumerToken consumer(queue);
  int value;
  if (queue.try_dequeue(consumer, value)) values.push_back(value);
  producer.join();
  while (queue.try_dequeue(consumer, value)) values.push_back(value);
  EXPECT_EQ(values, (Values{1, 2, 3}));
}

TEST(ConcurrentQueue, Bulk) {
  Queue queue;
  std::thread producer([&] {
    const int items[] = {1, 2, 3};
    EXPECT_TRUE(queue.enqueue_bulk(items, 3));
  });
  int taken[3] = {};
  size_t count = queue.try_dequeue_bulk(taken, 3);
  producer.join();
  Values values(taken, taken + count);
  drain(queue, values);
  EXPECT_EQ(values, (Values{1, 2, 3}));
}

TEST(ConcurrentQueue, Strings) {
  moodycamel::ConcurrentQueue<std::string, Small> queue;
  const std::string text(40, 'x');  // on the heap
  std::thread producer([&] { EXPECT_TRUE(queue.enqueue(text)); });
  std::string value;
  bool found = queue.try_dequeue(value);
  producer.join();
  EXPECT_TRUE(found || queue.try_dequeue(value));
  EXPECT_EQ(value, text);
}

TEST(ConcurrentQueue, ThreeThreads) {
  Queue queue;
  std::thread first([&] { EXPECT_TRUE(queue.enqueue(1)); });
  std::thread second([&] { EXPECT_TRUE(queue.enqueue(2)); });
  Values values;
  int value;
  if (queue.try_dequeue(value)) values.push_back(value);
  first.join();
  second.join();
  drain(queue, values);
  EXPECT_EQ(values.size(), 2u);
  EXPECT_EQ(values[0] + values[1], 3);
}

TEST(BlockingConcurrentQueue, Wait) {
  BlockingQueue queue;
  int value = 0;
  std::thread producer([&] { EXPECT_TRUE(queue.enqueue(1)); });
  queue.wait_dequeue(value);
  producer.join();
  EXPECT_EQ(value, 1);
  EXPECT_FALSE(queue.try_dequeue(value));
}

TEST(BlockingConcurrentQueue, TwoConsumers) {
  BlockingQueue queue;
  int first = 0, second = 0;
  std::thread a([&] { queue.wait_dequeue(first); });
  std::thread b([&] { queue.wait_dequeue(second); });
  EXPECT_TRUE(queue.enqueue(1));
  EXPECT_TRUE(queue.enqueue(2));
  a.join();
  b.join();
  EXPECT_EQ(first + second, 3);
}

}  // namespace
