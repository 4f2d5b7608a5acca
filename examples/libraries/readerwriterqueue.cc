// ReaderWriterQueue, BlockingReaderWriterQueue and the circular buffer of moodycamel, ordered by
// fences.
#include <gtest/gtest.h>
#include <readerwriterqueue/readerwritercircularbuffer.h>
#include <readerwriterqueue/readerwriterqueue.h>

#include <string>
#include <thread>
#include <vector>

namespace {

using Values = std::vector<int>;
using Queue = moodycamel::ReaderWriterQueue<int, 2>;  // blocks of two
using BlockingQueue = moodycamel::BlockingReaderWriterQueue<int, 2>;

TEST(ReaderWriterQueue, Order) {
  Queue queue(1);
  std::thread producer([&] {
    for (int i = 1; i <= 3; ++i) EXPECT_TRUE(queue.enqueue(i));
  });
  Values values;
  int value;
  for (int tries = 0; tries < 3; ++tries)
    if (queue.try_dequeue(value)) values.push_back(value);
  producer.join();
  while (queue.try_dequeue(value)) values.push_back(value);
  EXPECT_EQ(values, (Values{1, 2, 3}));
}

// Without allocation the queue can be full; what was accepted comes out.
TEST(ReaderWriterQueue, Full) {
  Queue queue(1);
  Values accepted, values;
  std::thread producer([&] {
    for (int i = 1; i <= 3; ++i)
      if (queue.try_enqueue(i)) accepted.push_back(i);
  });
  int value;
  for (int tries = 0; tries < 2; ++tries)
    if (queue.try_dequeue(value)) values.push_back(value);
  producer.join();
  while (queue.try_dequeue(value)) values.push_back(value);
  EXPECT_EQ(values, accepted);
}

TEST(ReaderWriterQueue, PeekAndPop) {
  moodycamel::ReaderWriterQueue<std::string, 2> queue(1);
  const std::string text(40, 'x');  // on the heap
  std::thread producer([&] {
    EXPECT_TRUE(queue.enqueue(text));
    EXPECT_TRUE(queue.emplace(text));
  });
  int taken = 0;
  for (int tries = 0; tries < 2; ++tries) {
    if (std::string* front = queue.peek()) {
      EXPECT_EQ(*front, text);
      EXPECT_TRUE(queue.pop());
      ++taken;
    }
  }
  producer.join();
  EXPECT_EQ(queue.size_approx(), static_cast<size_t>(2 - taken));
}

// Two producers, where one is allowed.
TEST(ReaderWriterQueue, TwoProducers) {
  Queue queue(1);
  std::thread other([&] { queue.enqueue(1); });
  queue.enqueue(2);
  other.join();
}

TEST(BlockingReaderWriterQueue, Try) {
  BlockingQueue queue(1);
  std::thread producer([&] {
    EXPECT_TRUE(queue.enqueue(1));
    EXPECT_TRUE(queue.enqueue(2));
  });
  Values values;
  int value;
  for (int tries = 0; tries < 2; ++tries)
    if (queue.try_dequeue(value)) values.push_back(value);
  producer.join();
  while (queue.try_dequeue(value)) values.push_back(value);
  EXPECT_EQ(values, (Values{1, 2}));
}

// The consumer looks 1024 times before it blocks.
TEST(BlockingReaderWriterQueue, Wait) {
  BlockingQueue queue(1);
  std::thread producer([&] { EXPECT_TRUE(queue.enqueue(1)); });
  int value = 0;
  queue.wait_dequeue(value);
  EXPECT_EQ(value, 1);
  producer.join();
}

TEST(BlockingReaderWriterCircularBuffer, Try) {
  moodycamel::BlockingReaderWriterCircularBuffer<int> buffer(1);
  Values accepted, values;
  std::thread producer([&] {
    for (int i = 1; i <= 2; ++i)
      if (buffer.try_enqueue(i)) accepted.push_back(i);
  });
  int value;
  for (int tries = 0; tries < 2; ++tries)
    if (buffer.try_dequeue(value)) values.push_back(value);
  producer.join();
  while (buffer.try_dequeue(value)) values.push_back(value);
  EXPECT_EQ(values, accepted);
}

TEST(BlockingReaderWriterCircularBuffer, Wait) {
  moodycamel::BlockingReaderWriterCircularBuffer<int> buffer(1);
  std::thread producer([&] { buffer.wait_enqueue(1); });
  int value = 0;
  buffer.wait_dequeue(value);
  EXPECT_EQ(value, 1);
  producer.join();
}

}  // namespace
