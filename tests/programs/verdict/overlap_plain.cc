// A mistake this guards against: plain accesses that are steps were told apart by the address of
// their first byte. A memset, a memcpy or the copy of a structure was then independent of an access
// to a byte in its middle, and a search with reduction said passed.
//
// One thread writes 1, 2 and 3 to some bytes, the other reads some, three times. What each does,
// and what must not be seen, are the arguments; plain depth-first search finds each.
// COMPILERS: gcc
// THOROUGH: clang
// TIMEOUT: 60
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// With every access a step.
// RUN: for what in 'fill byte' 'fill copy' 'word byte' 'byte word' 'byte copy' 'byte structure' 'structure byte' 'copy byte' 'copy structure' 'move byte' 'byte compare'; do python3 %S/inputs/searches.py dfs,dpor 'kinds == {"assertion"}' %heddle --accesses all --races ignore -- %t $what 0; python3 %S/inputs/searches.py dfs,dpor 'kinds == {"assertion"}' %heddle --accesses all --races ignore -- %t $what 1; done
// RUN: python3 %S/inputs/searches.py variants,orders 'kinds == {"assertion"}' %heddle --accesses all --races ignore -- %t fill byte 0,1
// RUN: python3 %S/inputs/searches.py --check auto,dpor,orders 'kinds == {"assertion"}' %heddle --accesses all --races ignore -- %t 'fill byte,byte structure' 0,1
// With a step where a race is; what it breaks takes more preemptions than `auto` covers without
// reduction.
// RUN: python3 %S/inputs/searches.py auto,dfs,dpor 'kinds == {"assertion"}' %heddle --races explore -- %t 'word byte,byte word,byte structure,structure byte' 123
// RUN: python3 %S/inputs/searches.py variants,orders 'kinds == {"assertion"}' %heddle --races explore -- %t byte structure 123
// RUN: python3 %S/inputs/searches.py --check auto,dpor,orders 'kinds == {"assertion"}' %heddle --races explore -- %t byte structure 123
// Bytes that are not the same: one class of executions.
// RUN: python3 %S/inputs/searches.py dpor 'verdict == "passed" and j["executions"] - j["learning"] == 1' %heddle --accesses all --races ignore -- %t 'low high,high low,low behind,fill behind,behind copy,structure behind' 1
// RUN: python3 %S/inputs/searches.py reduced 'verdict == "passed" and j["executions"] - j["learning"] == 1' %heddle --accesses all --races ignore -- %t low high 1
#include <cstdint>
#include <cstring>
#include <string>
#include <thread>

#include "inputs/subject.h"

constexpr unsigned kMiddle = 12;  // the byte that all have in common

struct Record {
  unsigned char bytes[24];
};

Record records[4];  // with 0, 1, 2 and 3, before main

const bool filled = [] {
  for (int i = 0; i < 4; ++i) std::memset(&records[i], i, sizeof records[i]);
  return true;
}();

union {
  alignas(64) unsigned char bytes[64];
  Record record;
  uint64_t words[8];
} shared;

// What the threads do is looked up before they begin: there every access counts.
using Write = void (*)(unsigned char number);
using Read = unsigned (*)();

struct {
  const char* name;
  Write write;
} const kWrites[] = {
    {"byte", [](unsigned char number) { shared.bytes[kMiddle] = number; }},
    {"word",
     [](unsigned char number) { shared.words[kMiddle / 8] = 0x0101010101010101u * number; }},
    {"fill", [](unsigned char number) { std::memset(shared.bytes, number, 24); }},
    {"copy", [](unsigned char number) { std::memcpy(shared.bytes, &records[number], 20); }},
    {"move", [](unsigned char number) { std::memmove(shared.bytes + 1, &records[number], 20); }},
    {"structure", [](unsigned char number) { shared.record = records[number]; }},
    {"low", [](unsigned char number) { std::memset(shared.bytes + 8, number, 4); }},
    {"high", [](unsigned char number) { std::memset(shared.bytes + 12, number, 4); }},
    {"behind", [](unsigned char number) { shared.bytes[24] = number; }},
};

struct {
  const char* name;
  Read read;
} const kReads[] = {
    {"byte", []() -> unsigned { return shared.bytes[kMiddle]; }},
    {"word", []() -> unsigned { return shared.words[kMiddle / 8] >> (kMiddle % 8 * 8) & 0xff; }},
    {"copy",
     []() -> unsigned {
       Record mine;
       std::memcpy(&mine, shared.bytes, 24);
       asm volatile("" : : "r"(&mine) : "memory");
       return mine.bytes[kMiddle];
     }},
    {"structure",
     []() -> unsigned {
       Record mine = shared.record;
       asm volatile("" : : "r"(&mine) : "memory");
       return mine.bytes[kMiddle];
     }},
    {"compare",
     []() -> unsigned { return std::memcmp(shared.bytes, &records[0], 24) != 0 ? 1 : 0; }},
    {"low", []() -> unsigned { return shared.bytes[9]; }},
    {"high", []() -> unsigned { return shared.bytes[13]; }},
    {"behind", []() -> unsigned { return shared.bytes[24]; }},
};

void test(const Words& words) {
  Write write = nullptr;
  Read read = nullptr;
  for (auto& each : kWrites) write = words[0] == each.name ? each.write : write;
  for (auto& each : kReads) read = words[1] == each.name ? each.read : read;
  const std::string& unwanted = words[2];
  unsigned rounds = static_cast<unsigned>(unwanted.size());
  char seen[4] = {};
  std::thread writer([=] {
    for (unsigned i = 1; i <= rounds; ++i) write(static_cast<unsigned char>(i));
  });
  std::thread reader([=, &seen] {
    for (unsigned i = 0; i < rounds; ++i) seen[i] = static_cast<char>('0' + read());
  });
  writer.join();
  reader.join();
  HEDDLE_ASSERT(std::strcmp(seen, unwanted.c_str()) != 0);
}

int main(int argc, char** argv) { return search_or_run(argc, argv, test); }
