// Boost.Asio: handlers of a strand do not run at the same time, and run in the order in which they
// were posted.
#include <gtest/gtest.h>

#include <boost/asio.hpp>
#include <thread>
#include <vector>

namespace {

using boost::asio::io_context;
using Strand = boost::asio::strand<io_context::executor_type>;

// Two threads run the handlers of a context; the calling thread is one of them.
void run_in_two_threads(io_context& context) {
  std::thread other([&] { context.run(); });
  context.run();
  other.join();
}

// The count is plain: it is the strand that keeps the handlers apart.
TEST(Strand, KeepsHandlersApart) {
  io_context context;
  Strand strand(context.get_executor());
  int count = 0;
  for (int i = 0; i < 2; ++i) boost::asio::post(strand, [&] { ++count; });
  run_in_two_threads(context);
  EXPECT_EQ(count, 2);
}

TEST(Strand, KeepsOrder) {
  io_context context;
  Strand strand(context.get_executor());
  std::vector<int> seen;
  std::thread other([&] { context.run(); });
  boost::asio::post(strand, [&] { seen.push_back(1); });
  boost::asio::post(strand, [&] { seen.push_back(2); });
  context.run();
  other.join();
  context.restart();
  context.run();
  EXPECT_EQ(seen, (std::vector<int>{1, 2}));
}

// A handler of the strand that posts to it is not run inside of itself.
TEST(Strand, PostsFromItself) {
  io_context context;
  Strand strand(context.get_executor());
  bool inside = false, nested = false;
  boost::asio::post(strand, [&] {
    inside = true;
    boost::asio::post(strand, [&] { nested = inside; });
    inside = false;
  });
  run_in_two_threads(context);
  EXPECT_FALSE(nested);
}

// Used wrongly: without a strand the handlers race.
TEST(NoStrand, Races) {
  io_context context;
  int count = 0;
  for (int i = 0; i < 2; ++i) boost::asio::post(context, [&] { ++count; });
  run_in_two_threads(context);
}

}  // namespace
