#include "flow/kept_graph.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "trace/built_program.h"

namespace heddle::flow {
namespace {

namespace fs = std::filesystem;

Graph some_graph() {
  Graph graph;
  graph.starts = AddressSet(0x1000, 0x1040);
  graph.starts.add(0x1000);
  graph.starts.add(0x1004);
  graph.begin = {0x1000};
  graph.end = {0x1008};
  graph.flags = {Graph::kReturns, 0};
  graph.first = {0, 1, 1};
  graph.edges = {{1, 0}};
  graph.entries = {0};
  return graph;
}

class KeptGraph : public testing::Test {
 protected:
  KeptGraph() { setenv("XDG_CACHE_HOME", cache_.c_str(), 1); }
  ~KeptGraph() override { unsetenv("XDG_CACHE_HOME"); }

  std::string beside(const std::string& id) const {
    return folder_ / ("program." + id + ".heddle-flow");
  }
  std::string text() const {
    std::ostringstream all;
    all << std::ifstream(beside("ab12"), std::ios::binary).rdbuf();
    return all.str();
  }

  trace::TemporaryDirectory folder_;
  std::string cache_ = folder_ / "cache";
  GraphKey key_{folder_ / "program", "ab12", 77};
};

TEST_F(KeptGraph, ComesBackAsItWas) {
  EXPECT_FALSE(find_kept_graph(key_));
  keep_graph(key_, some_graph());
  auto graph = find_kept_graph(key_);
  ASSERT_TRUE(graph);
  EXPECT_EQ(graph->starts.words, some_graph().starts.words);
  EXPECT_EQ(graph->begin, some_graph().begin);
  EXPECT_EQ(graph->flags, some_graph().flags);
  ASSERT_EQ(graph->edges.size(), 1u);
  EXPECT_EQ(graph->edges[0].to, 1u);
  EXPECT_EQ(graph->entries, some_graph().entries);
}

TEST_F(KeptGraph, IsForOneProgramOnly) {
  keep_graph(key_, some_graph());
  GraphKey other = key_;
  other.content = 78;
  EXPECT_FALSE(find_kept_graph(other));
  other = key_;
  other.build_id = "ab13";
  EXPECT_FALSE(find_kept_graph(other));
}

TEST_F(KeptGraph, IsNotBelievedIfItIsDamaged) {
  keep_graph(key_, some_graph());
  std::string whole = text();
  for (size_t i = 0; i < whole.size(); ++i) {
    // Nobody looks at the header's reserved bytes.
    if (i >= 12 && i < 16) continue;
    std::string damaged = whole;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x10);
    trace::write_text(beside("ab12"), damaged);
    EXPECT_FALSE(find_kept_graph(key_)) << "byte " << i;
    trace::write_text(beside("ab12"), whole.substr(0, i));
    EXPECT_FALSE(find_kept_graph(key_)) << "cut at " << i;
  }
  trace::write_text(beside("ab12"), whole);
  EXPECT_TRUE(find_kept_graph(key_));
}

TEST_F(KeptGraph, IsNotBelievedIfItLeadsNowhere) {
  Graph graph = some_graph();
  graph.edges = {{2, 0}};
  keep_graph(key_, graph);
  EXPECT_FALSE(find_kept_graph(key_));
}

TEST_F(KeptGraph, TakesThePlaceOfEarlierBuilds) {
  trace::write_text(beside("0123"), "old");
  trace::write_text(folder_ / "program.other.heddle-flow", "not ours");
  trace::write_text(folder_ / "program2.0123.heddle-flow", "another's");
  keep_graph(key_, some_graph());
  EXPECT_FALSE(fs::exists(beside("0123")));
  EXPECT_TRUE(fs::exists(beside("ab12")));
  EXPECT_TRUE(fs::exists(folder_ / "program.other.heddle-flow"));
  EXPECT_TRUE(fs::exists(folder_ / "program2.0123.heddle-flow"));
}

TEST_F(KeptGraph, IsInTheCacheIfNothingCanBeWrittenBesideTheProgram) {
  GraphKey key{folder_ / "missing/program", "ab12", 77};
  keep_graph(key, some_graph());
  EXPECT_TRUE(fs::exists(cache_ + "/heddle/program.ab12.heddle-flow"));
  EXPECT_TRUE(find_kept_graph(key));
}

TEST_F(KeptGraph, NeedsABuildId) {
  GraphKey key{folder_ / "program", "", 77};
  keep_graph(key, some_graph());
  EXPECT_FALSE(find_kept_graph(key));
  EXPECT_FALSE(fs::exists(beside("")));
}

}  // namespace
}  // namespace heddle::flow
