#include "explore/execution_tree.h"

#include <gtest/gtest.h>

#include <vector>

namespace heddle::explore {
namespace {

TEST(ExecutionTree, KnowsTheScheduleOfANode) {
  ExecutionTree tree;
  uint32_t root = tree.add_root();
  EXPECT_EQ(tree.decision_count(root), 0u);
  tree.keep(root, 1);
  uint32_t child = tree.add(root, 4, 2, 0);
  tree.keep(child, 1);
  uint32_t grandchild = tree.add(child, 9, 1, 77);
  ASSERT_EQ(tree.decision_count(grandchild), 2u);
  wire::Decision decisions[2];
  tree.write_decisions(grandchild, 2, decisions);
  EXPECT_EQ(decisions[0].step, 4u);
  EXPECT_EQ(decisions[0].choice, 2u);
  EXPECT_EQ(decisions[1].step, 9u);
  EXPECT_EQ(decisions[1].choice, 1u);
  EXPECT_EQ(tree[grandchild].extra, 77u);
}

TEST(ExecutionTree, NodesGoUpToTheRoot) {
  ExecutionTree tree;
  uint32_t root = tree.add_root();
  tree.keep(root, 2);
  tree.release(root);  // executed; two successors wait
  uint32_t first = tree.add(root, 0, 1, 0);
  tree.keep(first, 1);
  tree.release(first);
  uint32_t below = tree.add(first, 1, 1, 0);
  tree.release(below);  // the last of its branch: takes its parent along, not the root
  EXPECT_EQ(tree.alive(), 1u);
  uint32_t second = tree.add(root, 0, 2, 0);
  EXPECT_EQ(tree.alive(), 2u);
  tree.release(second);
  EXPECT_EQ(tree.alive(), 0u);
  EXPECT_EQ(tree.created(), 4u);
}

TEST(ExecutionTree, PlacesAreUsedAgain) {
  ExecutionTree tree;
  uint32_t root = tree.add_root();
  for (int i = 0; i < 100'000; ++i) {
    tree.keep(root, 1);
    tree.release(tree.add(root, 1, 1, 0));
  }
  EXPECT_EQ(tree.alive(), 1u);
  EXPECT_EQ(tree.end(), 2u);
}

TEST(ExecutionTree, NodesStayWhereTheyAreWhileItGrows) {
  ExecutionTree tree;
  uint32_t root = tree.add_root();
  const Node* place = &tree[root];
  tree.keep(root, 100'000);
  std::vector<uint32_t> nodes;
  for (uint32_t i = 0; i < 100'000; ++i) nodes.push_back(tree.add(root, i, 1, 0));
  EXPECT_EQ(&tree[root], place);
  for (uint32_t i = 0; i < 100'000; ++i) ASSERT_EQ(tree[nodes[i]].step, i);
  EXPECT_GE(tree.bytes(), 100'001 * sizeof(Node));
  EXPECT_LT(tree.bytes(), 2 * 100'001 * sizeof(Node));
}

}  // namespace
}  // namespace heddle::explore
