/* Concurrency Kit: locks, a ring and a stack, with its atomics by compiler built-ins
   (CK_USE_CC_BUILTINS): those by inline assembly are invisible. The argument names the test. */
#include <assert.h>
#include <ck_ring.h>
#include <ck_spinlock.h>
#include <ck_stack.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static void in_two_threads(void* (*first)(void*), void* (*second)(void*)) {
  pthread_t other;
  pthread_create(&other, NULL, first, NULL);
  second(NULL);
  pthread_join(other, NULL);
}

static int count;

#define LOCK_TEST(name, object, lock, unlock)         \
  static void* add_with_##name(void* unused) {        \
    lock(object);                                     \
    ++count;                                          \
    unlock(object);                                   \
    return unused;                                    \
  }                                                   \
  static void test_##name(void) {                     \
    in_two_threads(add_with_##name, add_with_##name); \
    assert(count == 2);                               \
  }

static ck_spinlock_fas_t fas = CK_SPINLOCK_FAS_INITIALIZER;
LOCK_TEST(fas, &fas, ck_spinlock_fas_lock, ck_spinlock_fas_unlock)
static ck_spinlock_ticket_t ticket = CK_SPINLOCK_TICKET_INITIALIZER;
LOCK_TEST(ticket, &ticket, ck_spinlock_ticket_lock, ck_spinlock_ticket_unlock)

/* The MCS lock queues up nodes that the threads bring along. */
static ck_spinlock_mcs_t mcs = CK_SPINLOCK_MCS_INITIALIZER;
static void* add_with_mcs(void* unused) {
  ck_spinlock_mcs_context_t node;
  ck_spinlock_mcs_lock(&mcs, &node);
  ++count;
  ck_spinlock_mcs_unlock(&mcs, &node);
  return unused;
}
static void test_mcs(void) {
  in_two_threads(add_with_mcs, add_with_mcs);
  assert(count == 2);
}

static ck_ring_t ring;
static ck_ring_buffer_t buffer[4];
static int items[] = {1, 2};
static void* enqueue_two(void* unused) {
  assert(ck_ring_enqueue_spsc(&ring, buffer, &items[0]));
  assert(ck_ring_enqueue_spsc(&ring, buffer, &items[1]));
  return unused;
}
static void* dequeue_in_order(void* unused) {
  int last = 0;
  int* item;
  for (int i = 0; i < 3; ++i) {
    if (!ck_ring_dequeue_spsc(&ring, buffer, &item)) continue;
    assert(*item == last + 1);
    last = *item;
  }
  return unused;
}
static void test_ring(void) {
  ck_ring_init(&ring, 4);
  in_two_threads(enqueue_two, dequeue_in_order);
}

static ck_stack_t stack = CK_STACK_INITIALIZER;
static ck_stack_entry_t entries[2];
static void* push_first(void* unused) {
  ck_stack_push_upmc(&stack, &entries[0]);
  return unused;
}
static void* push_second(void* unused) {
  ck_stack_push_upmc(&stack, &entries[1]);
  return unused;
}
static void test_stack(void) {
  in_two_threads(push_first, push_second);
  ck_stack_entry_t* top = ck_stack_pop_upmc(&stack);
  ck_stack_entry_t* next = ck_stack_pop_upmc(&stack);
  assert(top != NULL && next != NULL && top != next && CK_STACK_ISEMPTY(&stack));
}

/* Used wrongly: two producers, where one is allowed. */
static void* enqueue_one(void* unused) {
  ck_ring_enqueue_spsc(&ring, buffer, &items[0]);
  return unused;
}
static void test_two_producers(void) {
  ck_ring_init(&ring, 4);
  in_two_threads(enqueue_one, enqueue_one);
  assert(ck_ring_size(&ring) == 2);
}

static const struct {
  const char* name;
  void (*run)(void);
} tests[] = {{"fas", test_fas},   {"ticket", test_ticket}, {"mcs", test_mcs},
             {"ring", test_ring}, {"stack", test_stack},   {"two_producers", test_two_producers}};

int main(int argc, char** argv) {
  for (size_t i = 0; i < sizeof tests / sizeof *tests; ++i) {
    if (argc == 2 && strcmp(argv[1], tests[i].name) == 0) return tests[i].run(), 0;
  }
  fprintf(stderr, "usage: concurrencykit TEST\n");
  return 2;
}
