// A mistake this guards against: what functions of libc and libstdc++ read and write in the
// program's memory was seen of a few of them only. Two threads that splice a list, append to a
// string, sort an array or print into a buffer, in no order, passed.
//
// Two threads call the same function. `race`: on the same objects, in no order. `locked`: with a
// lock. `apart`: each on its own. `reading` has functions that only read; then the same objects are
// no race, but are one against a thread that writes (`written`).
// COMPILERS: gcc clang
// TIMEOUT: 60
// RUN: %cxx -std=c++17 -O0 %s -o %t.0
// RUN: %cxx -std=c++20 -O1 %s -o %t.1
// RUN: %cxx -std=c++17 -O2 -D_FORTIFY_SOURCE=2 %s -o %t.2
// RUN: for build in 0 1 2; do python3 %S/inputs/each.py data-race %heddle -- %t.$build race splice,reverse,list_swap,sort,merge,remove,append,assign,string_swap,erase,insert,resize,push_back,clear,strcat,strncat,stpcpy,bzero,mempcpy,wmemset,memccpy,qsort,sprintf,snprintf,fgets,fread,readv,pread,preadv,recvmsg,pool,output,input; done
// RUN: for build in 0 1 2; do python3 %S/inputs/each.py data-race %heddle -- %t.$build written find,compare,copied,strchr,strrchr,strspn,strcspn,strcasecmp,strdup,strtol,atoi,printed,sprinted,puts,fwrite,memchr,hash; done
// RUN: for build in 0 1 2; do python3 %S/inputs/each.py passed %heddle -- %t.$build reading find,compare,copied,strchr,strrchr,strspn,strcspn,strcasecmp,strdup,strtol,atoi,printed,sprinted,puts,fwrite,memchr,hash; done
// RUN: for mode in locked apart; do python3 %S/inputs/each.py passed %heddle -- %t.0 $mode splice,reverse,list_swap,sort,merge,remove,append,assign,string_swap,erase,insert,strcat,stpcpy,mempcpy,qsort,snprintf,fgets,fread,readv,pread,preadv,recvmsg,pool,output,input; done
// The standard streams are for all threads.
// RUN: for build in 0 1; do python3 %S/inputs/each.py passed %heddle -- %t.$build race cout; done
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cwchar>
#include <functional>
#include <iostream>
#include <list>
#include <memory_resource>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>

struct Objects {
  std::list<int> list{3, 1, 2}, other{5, 4};
  std::string string = "a text of more than fifteen characters", second = "and a second one";
  char text[64] = "12 and what follows";
  char from[64] = "more";
  wchar_t wide[8];
  int numbers[4] = {4, 3, 2, 1};
  std::stringstream stream{"1 2 3 4"};
  std::pmr::unsynchronized_pool_resource pool;
};

std::mutex mutex;
Objects objects[2];
thread_local volatile long sink;  // what is not used would not be called

int compare(const void* a, const void* b) {
  return *static_cast<const int*>(a) - *static_cast<const int*>(b);
}

void read_file(Objects& o, bool by_line) {
  FILE* file = std::fopen("/proc/self/comm", "r");
  if (by_line) {
    sink = std::fgets(o.text, sizeof o.text, file) != nullptr;
  } else {
    sink = std::fread(o.text, 1, 2, file);
  }
  std::fclose(file);
}

// Two buffers, of which the second is not filled.
void read_vector(Objects& o, const std::string& what) {
  iovec buffers[2] = {{o.text, 4}, {o.from, sizeof o.from}};
  if (what == "recvmsg") {
    int ends[2];
    sink = socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
    sink = write(ends[1], "text", 4);
    msghdr message{};
    message.msg_iov = buffers;
    message.msg_iovlen = 2;
    sink = recvmsg(ends[0], &message, 0);
    return;
  }
  int file = open("/proc/self/comm", O_RDONLY);
  if (what == "readv") sink = readv(file, buffers, 1);
  if (what == "pread") sink = pread(file, o.text, 2, 0);
  if (what == "preadv") sink = preadv(file, buffers, 2, 0);
  close(file);
}

void change(const std::string& what, Objects& o) {
  if (what == "splice") o.list.splice(o.list.begin(), o.list, std::prev(o.list.end()));
  if (what == "reverse") o.list.reverse();
  if (what == "list_swap") o.list.swap(o.other);
  if (what == "sort") o.list.sort();
  if (what == "merge") o.list.merge(o.other);
  if (what == "remove") o.list.remove(2);
  if (what == "append") o.string += "more";
  if (what == "assign") o.string = o.second;
  if (what == "string_swap") o.string.swap(o.second);
  if (what == "erase") o.string.erase(0, 1);
  if (what == "insert") o.string.insert(1, "x");
  if (what == "resize") o.string.resize(3);
  if (what == "push_back") o.string.push_back('x');
  if (what == "clear") o.string.clear();
  if (what == "strcat") strcat(o.text, "x");
  if (what == "strncat") strncat(o.text, o.from, 1);
  if (what == "stpcpy") sink = *stpcpy(o.text, "hello");
  if (what == "bzero") bzero(o.text, 20);
  if (what == "mempcpy") sink = mempcpy(o.text, o.from, 20) == o.text;
  if (what == "memccpy") sink = memccpy(o.text, o.from, 'e', 20) == nullptr;
  if (what == "wmemset") wmemset(o.wide, L'x', 8);
  if (what == "qsort") qsort(o.numbers, 4, sizeof(int), compare);
  if (what == "sprintf") sprintf(o.text, "%d", 1);
  if (what == "snprintf") sink = snprintf(o.text, sizeof o.text, "%s %g", "text", 1.5);
  if (what == "fgets") read_file(o, true);
  if (what == "fread") read_file(o, false);
  for (const char* call : {"readv", "pread", "preadv", "recvmsg"}) {
    if (what == call) read_vector(o, what);
  }
  if (what == "pool") o.pool.deallocate(o.pool.allocate(8), 8);
  if (what == "output") o.stream << 1;
  if (what == "input") {
    int number;
    o.stream >> number;
  }
  if (what == "cout") std::cout << 1 << "text" << std::endl;
}

void read(const std::string& what, const Objects& o) {
  if (what == "find") sink = long(o.string.find('x'));
  if (what == "compare") sink = o.string.compare(o.second);
  if (what == "copied") sink = long(std::string(o.string).size());
  if (what == "strchr") sink = strchr(o.text, 'z') != nullptr;
  if (what == "strrchr") sink = strrchr(o.text, '1') != nullptr;
  if (what == "strspn") sink = long(strspn(o.text, "12"));
  if (what == "strcspn") sink = long(strcspn(o.text, " "));
  if (what == "strcasecmp") sink = strcasecmp(o.text, o.from);
  if (what == "strdup") {
    char* copy = strdup(o.text);
    sink = copy[1];
    free(copy);
  }
  if (what == "strtol") sink = strtol(o.text, nullptr, 10);
  if (what == "atoi") sink = atoi(o.text);
  if (what == "printed") std::printf("%d %5.1f %s\n", 1, 2.0, o.text);
  if (what == "puts") std::puts(o.text);
  if (what == "fwrite") sink = long(std::fwrite(o.text, 1, 5, stdout));
  if (what == "memchr") sink = memchr(o.text, 'w', sizeof o.text) != nullptr;
  if (what == "hash") sink = long(std::hash<std::string>()(o.string));
  if (what == "sprinted") {
    char buffer[100];
    sink = snprintf(buffer, sizeof buffer, "%*d %-8.3Lf %s", 4, 1, 2.0L, o.text);
  }
}

int main(int, char** argv) {
  std::string mode = argv[1], what = argv[2];
  auto go = [&](int thread) {
    if (mode == "reading" || (mode == "written" && thread == 0)) return read(what, objects[0]);
    if (mode == "written") {
      objects[0].text[0] = '1';
      objects[0].string[0] = 'b';
      return;
    }
    std::unique_lock lock(mutex, std::defer_lock);
    if (mode == "locked") lock.lock();
    change(what, objects[mode == "apart" ? thread : 0]);
  };
  std::thread second(go, 1);
  go(0);
  second.join();
}
