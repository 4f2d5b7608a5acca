/* A small library in C and C++: the same sources for make, CMake and configure. */
#ifndef COUNTER_H
#define COUNTER_H

#ifdef __cplusplus
extern "C" {
#endif

void counter_add(int by);
int counter_value(void);

#ifdef __cplusplus
}
#endif

#endif
