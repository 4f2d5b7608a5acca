// A mistake this guards against: what depends on what was told by the address of an access alone,
// so that a store of 8 bytes and a load of the upper 4 were taken for independent. Reduction then
// never ran them the other way round, and said passed.
//
// One thread writes the numbers 1, 2, ... to some bytes of a word of 16, the other reads some bytes
// of it as often. The last argument is what the reader must not see: 0 and 1 are the two orders of
// one write and one read; 123 is seen if they alternate, which takes more preemptions than `auto`
// covers without reduction. Plain depth-first search finds each; so must every other. Where the
// bytes are not the same there is one class of executions.
// COMPILERS: gcc
// THOROUGH: clang
// TIMEOUT: 60
// RUN: %cxx -std=c++20 -O1 -g -mcx16 %s -o %t -latomic
// Writes of each size, from each place, against reads of another size.
// RUN: python3 %S/inputs/searches.py auto,dfs,dpor 'kinds == {"assertion"}' %heddle -- %t atomic '8 0 4 4,8 0 4 0,8 0 2 6,8 8 1 15,4 4 8 0,1 3 8 0,1 1 4 0,2 2 1 3,4 8 2 10,2 6 8 0' 123
// RUN: python3 %S/inputs/searches.py dfs,dpor 'kinds == {"assertion"}' %heddle -- %t atomic '8 0 4 4,1 3 8 0,16 0 8 8,8 8 16 0' 0,1
// A compare-exchange of 16 bytes, and loads of a half of it, or of less; and the other way round.
// RUN: python3 %S/inputs/searches.py auto,dfs,dpor 'kinds == {"assertion"}' %heddle -- %t atomic '16 0 8 0,16 0 8 8,16 0 4 12,16 0 1 5,8 8 16 0,8 0 16 0,1 9 16 0' 123
// Updates of one size, and loads of another.
// RUN: python3 %S/inputs/searches.py auto,dfs,dpor 'kinds == {"assertion"}' %heddle -- %t exchange,add '8 0 4 4,1 7 8 0' 123
// Volatile variables; a race is not what is asked for here.
// RUN: python3 %S/inputs/searches.py auto,dfs,dpor 'kinds == {"assertion"}' %heddle --races ignore -- %t volatile '8 0 4 4,8 0 1 4,1 4 8 0,4 0 2 2' 123
// In every order, with several workers, with a process for each execution, and from heddle::check.
// RUN: python3 %S/inputs/searches.py variants,orders 'kinds == {"assertion"}' %heddle -- %t atomic '8 0 4 4,1 3 8 0,16 0 8 8' 123
// RUN: python3 %S/inputs/searches.py variants,orders 'kinds == {"assertion"}' %heddle -- %t atomic 8 0 2 2 0,1
// RUN: python3 %S/inputs/searches.py --check auto,dfs,dpor,orders 'kinds == {"assertion"}' %heddle -- %t atomic '8 0 4 4,16 0 8 8' 123
// RUN: python3 %S/inputs/searches.py variants,orders 'kinds == {"assertion"}' %heddle --races ignore -- %t volatile 8 0 1 4 123
// Bytes that are not the same: a half for each thread, and two that are neighbours.
// RUN: python3 %S/inputs/searches.py dpor 'verdict == "passed" and j["executions"] == 1' %heddle --races ignore -- %t atomic,exchange,volatile '4 0 4 4,4 4 4 0,1 3 4 4,8 0 8 8,2 2 1 4,1 0 1 1' 123
// RUN: python3 %S/inputs/searches.py reduced 'verdict == "passed" and j["executions"] == 1' %heddle -- %t atomic 4 0 4 4 123
// RUN: python3 %S/inputs/searches.py --check dpor,orders 'verdict == "passed" and j["executions"] == 1' %heddle -- %t atomic 4 4 4 0 123
#include <cstdint>
#include <string>
#include <thread>

#include "inputs/subject.h"

alignas(16) unsigned char word[16];

struct Bytes {
  unsigned size;
  unsigned offset;
  void* place() const { return word + offset; }
};

template <typename T>
void put(void* place, unsigned number, const std::string& how) {
  // The same number in every byte, so that it does not matter which of them are read.
  T value = static_cast<T>(static_cast<T>(~T{0}) / 0xff * number);
  T* target = static_cast<T*>(place);
  if (how == "volatile") {
    *const_cast<volatile T*>(target) = value;
  } else if (how == "exchange") {
    __atomic_exchange_n(target, value, __ATOMIC_SEQ_CST);
  } else if (how == "add") {
    __atomic_fetch_add(target, static_cast<T>(static_cast<T>(~T{0}) / 0xff), __ATOMIC_SEQ_CST);
  } else {
    __atomic_store_n(target, value, __ATOMIC_SEQ_CST);
  }
}

template <typename T>
unsigned get(void* place, const std::string& how) {
  T* target = static_cast<T*>(place);
  T value = how == "volatile" ? *const_cast<volatile T*>(target)
                              : __atomic_load_n(target, __ATOMIC_SEQ_CST);
  // The byte that is not 0, if there is one.
  unsigned number = 0;
  for (unsigned i = 0; i < sizeof(T); ++i) number |= static_cast<unsigned>(value >> (8 * i)) & 0xff;
  return number;
}

using Wide = unsigned __int128;

// No other operation on 16 bytes is one of the processor's.
bool exchange_wide(Wide& expected, Wide desired) {
  return __atomic_compare_exchange_n(reinterpret_cast<Wide*>(word), &expected, desired, false,
                                     __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

void write(const Bytes& bytes, unsigned number, const std::string& how) {
  switch (bytes.size) {
    case 1:
      return put<uint8_t>(bytes.place(), number, how);
    case 2:
      return put<uint16_t>(bytes.place(), number, how);
    case 4:
      return put<uint32_t>(bytes.place(), number, how);
    case 8:
      return put<uint64_t>(bytes.place(), number, how);
    default: {
      Wide all = ~Wide{0} / 0xff;
      Wide expected = all * (number - 1);  // nobody else writes
      HEDDLE_ASSERT(exchange_wide(expected, all * number) || !"the word is another");
    }
  }
}

unsigned read(const Bytes& bytes, const std::string& how) {
  switch (bytes.size) {
    case 1:
      return get<uint8_t>(bytes.place(), how);
    case 2:
      return get<uint16_t>(bytes.place(), how);
    case 4:
      return get<uint32_t>(bytes.place(), how);
    case 8:
      return get<uint64_t>(bytes.place(), how);
    default: {
      Wide value = ~Wide{0};  // never there: it fails, and reads
      exchange_wide(value, value);
      unsigned number = 0;
      for (unsigned i = 0; i < 16; ++i) number |= static_cast<unsigned>(value >> (8 * i)) & 0xff;
      return number;
    }
  }
}

void test(const Words& words) {
  const std::string& how = words[0];
  auto number = [&](int i) { return static_cast<unsigned>(std::stoul(words[i])); };
  Bytes written{number(1), number(2)};
  Bytes read_back{number(3), number(4)};
  const std::string& unwanted = words[5];
  std::string seen;
  std::thread writer([&] {
    for (unsigned i = 1; i <= unwanted.size(); ++i) write(written, i, how);
  });
  std::thread reader([&] {
    for (size_t i = 0; i < unwanted.size(); ++i)
      seen += static_cast<char>('0' + read(read_back, how));
  });
  writer.join();
  reader.join();
  HEDDLE_ASSERT(seen != unwanted);
}

int main(int argc, char** argv) { return search_or_run(argc, argv, test); }
