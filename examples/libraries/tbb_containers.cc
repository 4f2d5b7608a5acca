// oneTBB's containers, as far as they are headers: growing a vector, and inserting into hash maps,
// from several threads.
#include <gtest/gtest.h>
#include <tbb/concurrent_hash_map.h>
#include <tbb/concurrent_unordered_map.h>
#include <tbb/concurrent_vector.h>

#include <thread>

namespace {

template <typename T>
using Vector = tbb::concurrent_vector<T, std::allocator<T>>;

TEST(Vector, TwoPush) {
  Vector<int> vector;
  std::thread other([&] { vector.push_back(1); });
  vector.push_back(2);
  other.join();
  ASSERT_EQ(vector.size(), 2u);
  EXPECT_EQ(vector[0] + vector[1], 3);
}

// An element stays where it is while others are added behind it.
TEST(Vector, ReadWhileGrowing) {
  Vector<int> vector;
  vector.push_back(1);
  const int* place = &vector[0];
  std::thread other([&] {
    for (int i = 2; i <= 3; ++i) vector.push_back(i);
  });
  EXPECT_EQ(vector[0], 1);
  EXPECT_EQ(&vector[0], place);
  other.join();
  EXPECT_EQ(vector.size(), 3u);
}

TEST(UnorderedMap, SameKey) {
  tbb::concurrent_unordered_map<int, int, std::hash<int>, std::equal_to<int>,
                                std::allocator<std::pair<const int, int>>>
      map;
  bool mine = false, others = false;
  std::thread other([&] { others = map.emplace(1, 1).second; });
  mine = map.emplace(1, 2).second;
  other.join();
  EXPECT_NE(mine, others);
  EXPECT_EQ(map.size(), 1u);
  EXPECT_EQ(map.at(1), mine ? 2 : 1);
}

using HashMap = tbb::concurrent_hash_map<int, int, tbb::tbb_hash_compare<int>,
                                         std::allocator<std::pair<const int, int>>>;

// An accessor locks its element: the two additions do not get lost.
TEST(HashMap, AccessorLocks) {
  HashMap map;
  auto add = [&] {
    HashMap::accessor place;
    map.insert(place, 1);
    place->second += 1;
  };
  std::thread other(add);
  add();
  other.join();
  HashMap::const_accessor place;
  ASSERT_TRUE(map.find(place, 1));
  EXPECT_EQ(place->second, 2);
}

TEST(HashMap, EraseOrFind) {
  HashMap map;
  map.insert({1, 5});
  bool erased = false;
  std::thread other([&] { erased = map.erase(1); });
  int value = 5;
  {
    HashMap::const_accessor place;
    if (map.find(place, 1)) value = place->second;
  }
  other.join();
  EXPECT_TRUE(erased);
  EXPECT_EQ(value, 5);
  EXPECT_TRUE(map.empty());
}

// Used wrongly: elements of a vector are not locked.
TEST(Vector, RacesOnElement) {
  Vector<int> vector(1);
  std::thread other([&] { ++vector[0]; });
  ++vector[0];
  other.join();
}

}  // namespace
