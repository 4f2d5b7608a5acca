// The one frame of ours through which the program's exceptions pass. In C, with the clean-up
// attribute, since a C++ destructor would need libstdc++'s personality routine, and a C program
// must not.
#include <pthread.h>

__attribute__((visibility("hidden"))) void heddle_once_left(pthread_once_t* control, int done);
__attribute__((visibility("hidden"))) void heddle_call_once(void (*routine)(void),
                                                            pthread_once_t* control);

struct call {
  pthread_once_t* control;
  int done;
};

static void leave(struct call* call) { heddle_once_left(call->control, call->done); }

void heddle_call_once(void (*routine)(void), pthread_once_t* control) {
  __attribute__((cleanup(leave))) struct call call = {control, 0};
  routine();
  call.done = 1;
}
