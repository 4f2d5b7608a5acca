/* As warnings.cc, in C89. */
#include <stdio.h>
#include <string.h>

static int counter;
static volatile int flag;

static int bump(int by) {
  int before = counter;
  __sync_fetch_and_add(&counter, by);
  __sync_synchronize();
  flag = 1;
  return before;
}

int main(void) {
  char text[16];
  strcpy(text, "sum");
  bump(2);
  bump(3);
  printf("%s %d %d\n", text, counter, flag);
  return 0;
}
