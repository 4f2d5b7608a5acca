// rogue WHAT: two threads; in those executions in which the second one comes first, it does
// something that no program should do. The others end well.
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int order;
static atomic_int done;

// Fills every writable mapping of this process whose name holds `name`.
static void fill_mappings(const char* name, int byte) {
  static char maps[1 << 18];
  size_t size = 0;
  int fd = open("/proc/self/maps", O_RDONLY);
  for (ssize_t got; (got = read(fd, maps + size, sizeof maps - 1 - size)) > 0;) size += (size_t)got;
  close(fd);
  maps[size] = '\0';
  for (char* line = strtok(maps, "\n"); line != NULL; line = strtok(NULL, "\n")) {
    unsigned long begin, end;
    char access[5];
    if (sscanf(line, "%lx-%lx %4s", &begin, &end, access) != 3 || access[1] != 'w') continue;
    // The trace buffer alone is hundreds of megabytes of address space: its beginning will do.
    if (end - begin > 64 << 20) end = begin + (64 << 20);
    if (strstr(line, name) != NULL) memset((void*)begin, byte, end - begin);
  }
}

// Changes single words here and there in the region, as a stray pointer does.
static void scatter(const char* name) {
  static char maps[1 << 18];
  int fd = open("/proc/self/maps", O_RDONLY);
  size_t size = 0;
  for (ssize_t got; (got = read(fd, maps + size, sizeof maps - 1 - size)) > 0;) size += (size_t)got;
  close(fd);
  char* found = strstr(maps, name);
  while (found > maps && found[-1] != '\n') --found;
  unsigned long begin = strtoul(found, NULL, 16);
  for (unsigned long at = begin; at < begin + (128 << 10); at += 264) *(uint64_t*)at += 0x5851f42d;
}

static int recurse(int depth) {
  volatile char frame[4096];
  frame[0] = (char)depth;
  return recurse(depth + 1) + frame[0];
}

static void flood(int fd) {
  static char line[1 << 16];
  memset(line, 'x', sizeof line);
  line[sizeof line - 1] = '\n';
  for (int i = 0; i < 200; ++i) {
    if (write(fd, line, sizeof line) < 0) return;
  }
}

static void misbehave(const char* what) {
  if (strcmp(what, "loop") == 0) {
    for (volatile int i = 0;; ++i) {
    }
  } else if (strcmp(what, "deaf-loop") == 0) {  // not even signals reach it
    sigset_t all;
    sigfillset(&all);
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, NULL, 8);
    for (volatile int i = 0;; ++i) {
    }
  } else if (strcmp(what, "slow-and-fail") == 0) {  // a second or so
    for (volatile int i = 0; i < 500000000; ++i) {
    }
    exit(5);
  } else if (strcmp(what, "flood") == 0) {
    flood(STDOUT_FILENO);
    flood(STDERR_FILENO);
  } else if (strcmp(what, "flood-and-fail") == 0) {
    flood(STDOUT_FILENO);
    puts("the last words");
    exit(5);
  } else if (strcmp(what, "close") == 0) {
    for (int fd = 0; fd < 3; ++fd) close(fd);
  } else if (strcmp(what, "close-and-fail") == 0) {
    for (int fd = 0; fd < 3; ++fd) close(fd);
    exit(5);
  } else if (strcmp(what, "close-all") == 0) {
    for (int fd = 0; fd < 1024; ++fd) close(fd);
  } else if (strcmp(what, "reuse-descriptors") == 0) {
    for (int fd = 0; fd < 3; ++fd) close(fd);
    int fd = open("written", O_WRONLY | O_CREAT | O_APPEND, 0666);
    if (fd != 0) exit(6);
    puts("into nowhere");
    fflush(stdout);
  } else if (strcmp(what, "chdir") == 0) {
    if (access("stamp", F_OK) != 0) exit(7);
    if (chdir("/") != 0) exit(8);
  } else if (strcmp(what, "umask") == 0) {
    if (umask(077) == 077) exit(7);
  } else if (strcmp(what, "_exit") == 0) {
    _exit(9);
  } else if (strcmp(what, "_exit-0") == 0) {
    _exit(0);
  } else if (strcmp(what, "quick_exit") == 0) {
    quick_exit(10);
  } else if (strcmp(what, "exit-group") == 0) {
    syscall(SYS_exit_group, 11);
  } else if (strcmp(what, "raw-exit-group") == 0) {
    __asm__ volatile("syscall" : : "a"(SYS_exit_group), "D"(12) : "rcx", "r11", "memory");
  } else if (strcmp(what, "raw-exit-group-0") == 0) {
    __asm__ volatile("syscall" : : "a"(SYS_exit_group), "D"(0) : "rcx", "r11", "memory");
  } else if (strcmp(what, "term") == 0) {
    raise(SIGTERM);
  } else if (strcmp(what, "kill-group") == 0) {
    kill(0, SIGKILL);
  } else if (strcmp(what, "stop") == 0) {
    kill(getpid(), SIGSTOP);
  } else if (strcmp(what, "kill-parent") == 0) {
    kill(getppid(), SIGKILL);
  } else if (strcmp(what, "recurse") == 0) {
    recurse(0);
  } else if (strcmp(what, "unmap") == 0) {
    munmap((void*)((uintptr_t)&order & ~4095ul), 4096);
  } else if (strcmp(what, "protect") == 0) {
    mprotect((void*)((uintptr_t)&order & ~4095ul), 4096, PROT_NONE);
  } else if (strcmp(what, "limits") == 0) {
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_NOFILE, &none);
    setrlimit(RLIMIT_NPROC, &none);
  } else if (strncmp(what, "runtime=", 8) == 0) {
    fill_mappings("libheddle.so", (int)strtol(what + 8, NULL, 0));
  } else if (strncmp(what, "region=", 7) == 0) {
    fill_mappings("memfd:heddle ", (int)strtol(what + 7, NULL, 0));
  } else if (strcmp(what, "scatter") == 0) {
    scatter("memfd:heddle ");
  } else if (strncmp(what, "everything=", 11) == 0) {
    fill_mappings("", (int)strtol(what + 11, NULL, 0));
  } else {
    fprintf(stderr, "rogue: what is %s?\n", what);
    exit(99);
  }
}

static void* first(void* unused) {
  atomic_fetch_add(&order, 1);
  return unused;
}

static void* second(void* what) {
  if (atomic_fetch_add(&order, 1) == 0) misbehave(what);
  atomic_fetch_add(&done, 1);
  return NULL;
}

int main(int argc, char** argv) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, first, NULL);
  pthread_create(&threads[1], NULL, second, argc > 1 ? argv[1] : "");
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return 0;
}
