// Daisy: a small file system in memory, with a lock for each inode and each block, after the one
// that was set as a task for verifiers in 2004.
// program: Daisy file system
// threads: 2
// bug: assertion: the bits that say which blocks are in use lie in one byte, each under the lock of
//   its own block, so that the change of one bit may undo that of another.
#include <heddle/heddle.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <thread>

constexpr int kBlocks = 6;
constexpr int kBlockSize = 2;
constexpr int kInodes = 3;
constexpr int kBlocksOfFile = 2;
constexpr int kNone = -1;

enum class Status { kOk, kExists, kNoEntry, kNoSpace };

// The medium: bytes that are read and written one by one.
class Disk {
 public:
  uint8_t read(int address) const { return bytes_[address]; }
  void write(int address, uint8_t value) { bytes_[address] = value; }

 private:
  std::array<std::atomic<uint8_t>, 1 + kBlocks * kBlockSize> bytes_{};
};

static Disk disk;

// Blocks of data, and which of them are in use: a bit for each in the first byte of the disk.
class BlockStore {
 public:
  int allocate() {
    for (int block = 0; block < kBlocks; ++block) {
      std::lock_guard guard(locks_[block]);
      uint8_t used = disk.read(kMap);
      if ((used & bit(block)) != 0) continue;
      disk.write(kMap, used | bit(block));
      return block;
    }
    return kNone;
  }

  void release(int block) {
    std::lock_guard guard(locks_[block]);
    uint8_t used = disk.read(kMap);
    HEDDLE_ASSERT((used & bit(block)) != 0);
    disk.write(kMap, used & ~bit(block));
  }

  uint8_t read(int block, int offset) {
    std::lock_guard guard(locks_[block]);
    return disk.read(address(block, offset));
  }

  void write(int block, int offset, uint8_t value) {
    std::lock_guard guard(locks_[block]);
    HEDDLE_ASSERT((disk.read(kMap) & bit(block)) != 0);
    disk.write(address(block, offset), value);
  }

 private:
  static constexpr int kMap = 0;

  static uint8_t bit(int block) { return static_cast<uint8_t>(1 << block); }
  static int address(int block, int offset) { return 1 + block * kBlockSize + offset; }

  std::array<std::mutex, kBlocks> locks_;
};

static BlockStore store;

// Under its lock, but for `used`, which is under that of the directory.
struct Inode {
  std::mutex mutex;
  bool used = false;
  int size = 0;
  std::array<int, kBlocksOfFile> blocks{};
};

class Files {
 public:
  // An inode for a new file, which is empty. The caller holds the directory.
  int make() {
    for (int i = 0; i < kInodes; ++i) {
      if (inodes_[i].used) continue;
      inodes_[i].used = true;
      inodes_[i].size = 0;
      inodes_[i].blocks.fill(kNone);
      return i;
    }
    return kNone;
  }

  void remove(int number) {
    Inode& inode = inodes_[number];
    std::lock_guard guard(inode.mutex);
    for (int& block : inode.blocks) {
      if (block != kNone) store.release(block);
      block = kNone;
    }
    inode.used = false;
  }

  Status write(int number, int offset, uint8_t value) {
    Inode& inode = inodes_[number];
    std::lock_guard guard(inode.mutex);
    int& block = inode.blocks[offset / kBlockSize];
    if (block == kNone) block = store.allocate();
    if (block == kNone) return Status::kNoSpace;
    store.write(block, offset % kBlockSize, value);
    if (offset >= inode.size) inode.size = offset + 1;
    return Status::kOk;
  }

  Status read(int number, int offset, uint8_t& value) {
    Inode& inode = inodes_[number];
    std::lock_guard guard(inode.mutex);
    if (offset >= inode.size) return Status::kNoEntry;
    value = store.read(inode.blocks[offset / kBlockSize], offset % kBlockSize);
    return Status::kOk;
  }

 private:
  std::array<Inode, kInodes> inodes_;
};

static Files files;

// The one directory: names are letters.
class Directory {
 public:
  Status create(char name, int& inode) {
    std::lock_guard guard(mutex_);
    if (find(name) != kNone) return Status::kExists;
    int entry = find(kFree);
    inode = files.make();
    if (entry == kNone || inode == kNone) return Status::kNoSpace;
    entries_[entry] = {name, inode};
    return Status::kOk;
  }

  Status open(char name, int& inode) {
    std::lock_guard guard(mutex_);
    int entry = find(name);
    if (entry == kNone) return Status::kNoEntry;
    inode = entries_[entry].inode;
    return Status::kOk;
  }

  Status unlink(char name) {
    std::lock_guard guard(mutex_);
    int entry = find(name);
    if (entry == kNone) return Status::kNoEntry;
    files.remove(entries_[entry].inode);
    entries_[entry].name = kFree;
    return Status::kOk;
  }

 private:
  static constexpr char kFree = 0;
  struct Entry {
    char name = kFree;
    int inode = kNone;
  };

  int find(char name) const {
    for (int i = 0; i < kInodes; ++i) {
      if (entries_[i].name == name) return i;
    }
    return kNone;
  }

  std::mutex mutex_;
  std::array<Entry, kInodes> entries_;
};

static Directory root;

static void write_file(char name, int size) {
  int inode = kNone;
  if (root.create(name, inode) != Status::kOk) return;
  for (int i = 0; i < size; ++i) files.write(inode, i, static_cast<uint8_t>(name + i));
}

static void check_file(char name, int size) {
  int inode = kNone;
  if (root.open(name, inode) != Status::kOk) return;
  for (int i = 0; i < size; ++i) {
    uint8_t value = 0;
    HEDDLE_ASSERT(files.read(inode, i, value) == Status::kOk);
    HEDDLE_ASSERT(value == name + i);
  }
}

int main() {
  write_file('a', 2);
  std::thread first([] {
    check_file('a', 2);
    check_file('a', 2);
    root.unlink('a');
  });
  std::thread second([] {
    write_file('b', 1);
    check_file('b', 1);
  });
  first.join();
  second.join();
}
