// Blocks of a file system: each thread finds a free block for its inode, from a first guess on.
// program: fsbench-14: -DTHREADS=14
// program: fsbench-26: -DTHREADS=26
// bug: assertion: whether a block is free is looked at before its lock is taken, so that two inodes
//   get the same one. With 14 threads only the first and the last guess the same.
#include <array>
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

constexpr int kBlocks = 26;
static std::array<std::mutex, kBlocks> locks;
static std::array<std::atomic<bool>, kBlocks> busy{};
static std::array<int, kBlocks> inodes{};

static void allocate(int inode) {
  int block = inode * 2 % kBlocks;
  while (busy[block]) block = (block + 1) % kBlocks;
  std::lock_guard guard(locks[block]);
  busy[block] = true;
  assert(inodes[block] == 0);
  inodes[block] = inode + 1;
}

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < THREADS; ++i) threads.emplace_back(allocate, i);
  for (std::thread& thread : threads) thread.join();
}
