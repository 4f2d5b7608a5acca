// The engine's ends of the rings against the worker's ends of wire/ring.h, around the wrap many
// times, and against garbage.
#include "pool/guarded_ring.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/random.h"

namespace heddle::pool {
namespace {

Settings small() {
  Settings settings;
  settings.max_steps = 10;
  return settings;
}

TEST(GuardedRing, JobsArriveInOrderAroundTheWrap) {
  SharedRegion region(small(), false);
  JobWriter writer(region);
  wire::RingReader reader(region.get(), &region.get()->jobs);
  Random random(1);
  uint64_t written = 0;
  uint64_t read = 0;
  while (read < 20'000) {
    // Bodies of up to 8 KB in a ring of 256 KB: about 300 wraps.
    uint64_t words = 1 + random.below(1024);
    void* body = nullptr;
    RingState state = writer.reserve(words * 8, &body);
    ASSERT_NE(state, RingState::garbage);
    if (state == RingState::ready && random.below(3) != 0) {
      for (uint64_t i = 0; i < words; ++i) static_cast<uint64_t*>(body)[i] = written;
      writer.publish();
      ++written;
    }
    if (random.below(2) == 0 || state != RingState::ready) {
      void* got = reader.peek();
      if (got == nullptr) continue;
      ASSERT_EQ(*static_cast<uint64_t*>(got), read);
      reader.pop();
      ++read;
    }
  }
}

TEST(GuardedRing, ResultsArriveInOrderAroundTheWrap) {
  SharedRegion region(small(), false);
  wire::RingWriter writer(region.get(), &region.get()->results);
  ResultReader reader(region);
  Random random(2);
  uint64_t written = 0;
  uint64_t read = 0;
  while (read < 20'000) {
    uint64_t words = 1 + random.below(4096);
    void* body = writer.reserve(words * 8);
    if (body != nullptr) {
      static_cast<uint64_t*>(body)[0] = written;
      static_cast<uint64_t*>(body)[words - 1] = written;
      writer.publish();
      ++written;
    }
    while (body == nullptr || random.below(2) == 0) {
      const char* got = nullptr;
      uint64_t size = 0;
      RingState state = reader.peek(&got, &size);
      ASSERT_NE(state, RingState::garbage);
      if (state != RingState::ready) break;
      const auto* values = reinterpret_cast<const uint64_t*>(got);
      ASSERT_EQ(values[0], read);
      ASSERT_EQ(values[size / 8 - 1], read);
      reader.pop();
      ++read;
      body = nullptr;
    }
  }
}

TEST(GuardedRing, PositionsThatMakeNoSenseAreGarbage) {
  SharedRegion region(small(), false);
  ResultReader reader(region);
  wire::RingWriter writer(region.get(), &region.get()->results);
  const char* body = nullptr;
  uint64_t size = 0;
  EXPECT_EQ(reader.peek(&body, &size), RingState::empty_or_full);
  for (uint64_t tail : {uint64_t{3}, uint64_t{1} << 40, ~uint64_t{7}}) {
    region.get()->results.tail.store(tail);
    EXPECT_EQ(reader.peek(&body, &size), RingState::garbage) << tail;
  }
  region.get()->results.tail.store(64);
  for (uint64_t length :
       {uint64_t{0}, uint64_t{7}, uint64_t{72}, uint64_t{1} << 60, wire::Ring::kWrap}) {
    std::memcpy(region.result_bytes(), &length, sizeof length);
    EXPECT_EQ(reader.peek(&body, &size), RingState::garbage) << length;
  }
  uint64_t good = 64;
  std::memcpy(region.result_bytes(), &good, sizeof good);
  EXPECT_EQ(reader.peek(&body, &size), RingState::ready);
  EXPECT_EQ(size, 56u);

  JobWriter jobs(region);
  void* room = nullptr;
  ASSERT_EQ(jobs.reserve(64, &room), RingState::ready);
  jobs.publish();
  uint64_t head = 0;
  region.get()->jobs.head.store(1'000'000);
  EXPECT_FALSE(jobs.head(&head));
  region.get()->jobs.head.store(72);
  EXPECT_TRUE(jobs.head(&head));
  EXPECT_EQ(head, 72u);
}

}  // namespace
}  // namespace heddle::pool
