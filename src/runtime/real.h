// libc's own functions, behind the ones that the runtime puts before them.
//
// Found once, at the first use. Native paths of the interceptors go through here; so does the
// runtime itself.
#pragma once

#include <dlfcn.h>
#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// What _FORTIFY_SOURCE makes of some; <stdio.h> declares them only then.
extern "C" {
size_t __fread_chk(void*, size_t, size_t, size_t, FILE*);
size_t __fread_unlocked_chk(void*, size_t, size_t, size_t, FILE*);
char* __fgets_chk(char*, size_t, int, FILE*);
char* __fgets_unlocked_chk(char*, size_t, int, FILE*);
}

namespace heddle::runtime::real {

using StartMain = int (*)(int (*)(int, char**, char**), int, char**, void (*)(), void (*)(),
                          void (*)(), void*);

// Every function that is intercepted and has a native path. Extended by one line for each.
#define HEDDLE_REAL_FUNCTIONS(F) \
  F(memcpy)                      \
  F(memmove)                     \
  F(memset)                      \
  F(memcmp)                      \
  F(strlen)                      \
  F(strcpy)                      \
  F(strncpy)                     \
  F(strcmp)                      \
  F(strncmp)                     \
  F(pthread_create)              \
  F(pthread_join)                \
  F(pthread_tryjoin_np)          \
  F(pthread_timedjoin_np)        \
  F(pthread_clockjoin_np)        \
  F(pthread_detach)              \
  F(pthread_getattr_np)          \
  F(pthread_exit)                \
  F(pthread_cancel)              \
  F(pthread_setcancelstate)      \
  F(pthread_setcanceltype)       \
  F(pthread_testcancel)          \
  F(pthread_mutex_consistent)    \
  F(pthread_kill)                \
  F(pthread_sigmask)             \
  F(pthread_key_create)          \
  F(pthread_key_delete)          \
  F(pthread_getspecific)         \
  F(pthread_setspecific)         \
  F(pthread_mutex_init)          \
  F(pthread_mutex_destroy)       \
  F(pthread_mutex_lock)          \
  F(pthread_mutex_trylock)       \
  F(pthread_mutex_timedlock)     \
  F(pthread_mutex_clocklock)     \
  F(pthread_mutex_unlock)        \
  F(pthread_cond_init)           \
  F(pthread_cond_destroy)        \
  F(pthread_cond_wait)           \
  F(pthread_cond_timedwait)      \
  F(pthread_cond_clockwait)      \
  F(pthread_cond_signal)         \
  F(pthread_cond_broadcast)      \
  F(pthread_once)                \
  F(pthread_rwlock_rdlock)       \
  F(pthread_rwlock_timedrdlock)  \
  F(pthread_rwlock_clockrdlock)  \
  F(pthread_rwlock_tryrdlock)    \
  F(pthread_rwlock_wrlock)       \
  F(pthread_rwlock_timedwrlock)  \
  F(pthread_rwlock_clockwrlock)  \
  F(pthread_rwlock_trywrlock)    \
  F(pthread_rwlock_unlock)       \
  F(pthread_rwlock_destroy)      \
  F(pthread_barrier_wait)        \
  F(pthread_barrier_destroy)     \
  F(pthread_spin_lock)           \
  F(pthread_spin_trylock)        \
  F(pthread_spin_unlock)         \
  F(pthread_spin_destroy)        \
  F(sem_init)                    \
  F(sem_destroy)                 \
  F(sem_wait)                    \
  F(sem_timedwait)               \
  F(sem_clockwait)               \
  F(sem_trywait)                 \
  F(sem_post)                    \
  F(sem_getvalue)                \
  F(sem_open)                    \
  F(sem_close)                   \
  F(sem_unlink)                  \
  F(sched_yield)                 \
  F(nanosleep)                   \
  F(clock_nanosleep)             \
  F(usleep)                      \
  F(sleep)                       \
  F(clock_gettime)               \
  F(gettimeofday)                \
  F(time)                        \
  F(timespec_get)                \
  F(clock)                       \
  F(sigaction)                   \
  F(signal)                      \
  F(sigaltstack)                 \
  F(raise)                       \
  F(abort)                       \
  F(exit)                        \
  F(quick_exit)                  \
  F(on_exit)                     \
  F(fork)                        \
  F(vfork)                       \
  F(waitpid)                     \
  F(rand)                        \
  F(srand)                       \
  F(random)                      \
  F(srandom)                     \
  F(initstate)                   \
  F(setstate)                    \
  F(drand48)                     \
  F(erand48)                     \
  F(lrand48)                     \
  F(nrand48)                     \
  F(mrand48)                     \
  F(jrand48)                     \
  F(srand48)                     \
  F(seed48)                      \
  F(lcong48)                     \
  F(arc4random)                  \
  F(arc4random_buf)              \
  F(arc4random_uniform)          \
  F(dlopen)                      \
  F(read)                        \
  F(pread)                       \
  F(recv)                        \
  F(ftrylockfile)                \
  F(fread)                       \
  F(fread_unlocked)              \
  F(__fread_chk)                 \
  F(__fread_unlocked_chk)        \
  F(fgets)                       \
  F(fgets_unlocked)              \
  F(__fgets_chk)                 \
  F(__fgets_unlocked_chk)        \
  F(vsnprintf)                   \
  F(write)                       \
  F(readv)                       \
  F(shmat)                       \
  F(pread64)                     \
  F(preadv)                      \
  F(preadv64)                    \
  F(preadv2)                     \
  F(preadv64v2)                  \
  F(writev)                      \
  F(send)                        \
  F(sendto)                      \
  F(sendmsg)                     \
  F(sendmmsg)                    \
  F(recvfrom)                    \
  F(recvmsg)                     \
  F(recvmmsg)                    \
  F(splice)                      \
  F(tee)                         \
  F(vmsplice)                    \
  F(sendfile)                    \
  F(sendfile64)                  \
  F(pipe)                        \
  F(pipe2)                       \
  F(eventfd)                     \
  F(socket)                      \
  F(socketpair)                  \
  F(bind)                        \
  F(listen)                      \
  F(accept)                      \
  F(accept4)                     \
  F(connect)                     \
  F(shutdown)                    \
  F(getsockname)                 \
  F(getpeername)                 \
  F(getsockopt)                  \
  F(setsockopt)                  \
  F(close)                       \
  F(close_range)                 \
  F(closefrom)                   \
  F(dup)                         \
  F(dup2)                        \
  F(dup3)                        \
  F(fcntl)                       \
  F(ioctl)                       \
  F(fdopen)                      \
  F(poll)                        \
  F(ppoll)                       \
  F(select)                      \
  F(pselect)                     \
  F(epoll_create)                \
  F(epoll_create1)               \
  F(epoll_ctl)                   \
  F(epoll_wait)                  \
  F(epoll_pwait)                 \
  F(epoll_pwait2)                \
  F(timerfd_create)              \
  F(timerfd_settime)             \
  F(timer_create)                \
  F(timer_settime)               \
  F(timer_gettime)               \
  F(timer_getoverrun)            \
  F(timer_delete)                \
  F(timerfd_gettime)             \
  F(getrandom)                   \
  F(getentropy)                  \
  F(malloc_usable_size)          \
  F(mmap)                        \
  F(munmap)                      \
  F(mremap)                      \
  F(mprotect)                    \
  F(madvise)                     \
  F(longjmp)                     \
  F(_longjmp)                    \
  F(siglongjmp)                  \
  F(gettid)

#define HEDDLE_DECLARE_REAL(name) extern decltype(&::name) name;
HEDDLE_REAL_FUNCTIONS(HEDDLE_DECLARE_REAL)
#undef HEDDLE_DECLARE_REAL

extern StartMain libc_start_main;
using Atexit = int (*)(void (*)(void*), void*, void*);
extern Atexit cxa_atexit;
extern Atexit cxa_thread_atexit;
using GuardAcquire = int (*)(void*);
using GuardEnd = void (*)(void*);
extern GuardAcquire guard_acquire;  // null in a program without libstdc++
extern GuardEnd guard_release;
extern GuardEnd guard_abort;
using EndCatch = void (*)();
using ExceptionRelease = void (*)(void**);
extern EndCatch end_catch;                  // likewise
extern ExceptionRelease exception_release;  // likewise
using Cleanup = void (*)(__pthread_unwind_buf_t*);
extern Cleanup register_cancel;
extern Cleanup unregister_cancel;
extern Cleanup register_cancel_defer;
extern Cleanup unregister_cancel_restore;
extern Cleanup unwind_next;
using LongJump = void (*)(__jmp_buf_tag*, int);
extern LongJump longjmp_chk;
using Syscall = long (*)(long, ...);
extern Syscall syscall;

extern bool g_found;
void find_all();

}  // namespace heddle::runtime::real

// In an interceptor: the native function, found if need be.
#define HEDDLE_REAL(name)                                                                       \
  (__builtin_expect(::heddle::runtime::real::g_found, 1) ? (void)0                              \
                                                         : ::heddle::runtime::real::find_all(), \
   ::heddle::runtime::real::name)
