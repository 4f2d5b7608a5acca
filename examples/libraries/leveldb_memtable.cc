// LevelDB's memory table, from its Debian source package: one thread writes, others read, without a
// lock between them. Writers must be kept apart by the caller.
#include <gtest/gtest.h>

#include <string>
#include <thread>

#include "db/dbformat.h"
#include "db/memtable.h"
#include "leveldb/comparator.h"

namespace {

using leveldb::LookupKey;
using leveldb::MemTable;
using leveldb::Slice;
using leveldb::Status;

class Table {
 public:
  Table() : comparator_(leveldb::BytewiseComparator()), table_(new MemTable(comparator_)) {
    table_->Ref();
  }
  ~Table() { table_->Unref(); }

  void put(int sequence, const char* key, const char* value) {
    table_->Add(sequence, leveldb::kTypeValue, key, value);
  }
  void remove(int sequence, const char* key) {
    table_->Add(sequence, leveldb::kTypeDeletion, key, Slice());
  }
  // What a reader sees that knows of writes up to `sequence`; "-" if there is nothing.
  std::string get(int sequence, const char* key) {
    std::string value;
    Status status;
    LookupKey lookup(key, sequence);
    if (!table_->Get(lookup, &value, &status)) return "-";
    return status.ok() ? value : "deleted";
  }

 private:
  leveldb::InternalKeyComparator comparator_;
  MemTable* table_;
};

// A reader sees a key as a whole, or not at all.
TEST(MemTable, WriterAndReader) {
  Table table;
  std::thread writer([&] { table.put(1, "k", "value"); });
  std::string seen = table.get(1, "k");
  writer.join();
  EXPECT_TRUE(seen == "-" || seen == "value") << seen;
  EXPECT_EQ(table.get(1, "k"), "value");
}

// What was there before is seen while another key is added beside it, whatever its place.
TEST(MemTable, OldKeyStays) {
  Table table;
  table.put(1, "m", "old");
  std::thread writer([&] { table.put(2, "a", "new"); });
  EXPECT_EQ(table.get(1, "m"), "old");
  writer.join();
}

// A reader with an older number does not see the newer version.
TEST(MemTable, Versions) {
  Table table;
  table.put(1, "k", "old");
  std::thread writer([&] { table.remove(2, "k"); });
  EXPECT_EQ(table.get(1, "k"), "old");
  std::string seen = table.get(2, "k");
  EXPECT_TRUE(seen == "old" || seen == "deleted") << seen;
  writer.join();
  EXPECT_EQ(table.get(2, "k"), "deleted");
}

TEST(MemTable, TwoReaders) {
  Table table;
  table.put(1, "a", "1");
  std::thread writer([&] { table.put(2, "b", "2"); });
  std::thread reader([&] { EXPECT_EQ(table.get(2, "a"), "1"); });
  std::string seen = table.get(2, "b");
  EXPECT_TRUE(seen == "-" || seen == "2") << seen;
  writer.join();
  reader.join();
}

// Used wrongly: two writers at once.
TEST(MemTable, TwoWriters) {
  Table table;
  std::thread other([&] { table.put(1, "a", "1"); });
  table.put(2, "b", "2");
  other.join();
}

}  // namespace
