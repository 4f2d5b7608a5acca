"""Model programs as C++: one source for many of them, the first argument says which is to run."""

STATEMENTS = {
    "create": "threads[{0}] = std::thread(thread_{0});",
    "join": "threads[{0}].join();",
    "detach": "threads[{0}].detach();",
    "lock": "mutexes[{0}].lock();",
    "unlock": "mutexes[{0}].unlock();",
    "rlock": "recursives[{0}].lock();",
    "runlock": "recursives[{0}].unlock();",
    "spinlock": "pthread_spin_lock(&spins[{0}]);",
    "spinunlock": "pthread_spin_unlock(&spins[{0}]);",
    "rwunlock": "pthread_rwlock_unlock(&rwlocks[{0}]);",
    "semwait": "sem_wait(&semaphores[{0}]);",
    "sempost": "sem_post(&semaphores[{0}]);",
    "wait": "wait(conditions[{0}], mutexes[{1}]);",
    "signal": "conditions[{0}].notify_one();",
    "broadcast": "conditions[{0}].notify_all();",
    "store": "variables[{0}].store({1});",
    # With nothing between them Clang makes one of two fences.
    "fence": 'std::atomic_thread_fence(std::memory_order_seq_cst); asm volatile("");',
    "yield": "std::this_thread::yield();",
    "sleep": "std::this_thread::sleep_for(std::chrono::milliseconds(1));",
    "static": "enter_static<{0}>();",
    "leave": "pthread_exit(nullptr);",
    "exit": "std::exit(0);",
    "assert": "HEDDLE_ASSERT(last == {0});",
    "assume": "heddle::assume(last == {0});",
}
EXPRESSIONS = {
    "trylock": "mutexes[{0}].try_lock()",
    "timedlock": "timed_lock(mutexes[{0}])",
    "rtrylock": "recursives[{0}].try_lock()",
    "rtimedlock": "timed_lock(recursives[{0}])",
    "elock": "!pthread_mutex_lock(&checked[{0}])",
    "eunlock": "!pthread_mutex_unlock(&checked[{0}])",
    "etrylock": "!pthread_mutex_trylock(&checked[{0}])",
    "etimedlock": "!pthread_mutex_clocklock(&checked[{0}], CLOCK_MONOTONIC, InASecond())",
    "spintrylock": "!pthread_spin_trylock(&spins[{0}])",
    "rdlock": "!pthread_rwlock_rdlock(&rwlocks[{0}])",
    "wrlock": "!pthread_rwlock_wrlock(&rwlocks[{0}])",
    "tryrd": "!pthread_rwlock_tryrdlock(&rwlocks[{0}])",
    "trywr": "!pthread_rwlock_trywrlock(&rwlocks[{0}])",
    "timedrd": "!pthread_rwlock_clockrdlock(&rwlocks[{0}], CLOCK_MONOTONIC, InASecond())",
    "timedwr": "!pthread_rwlock_clockwrlock(&rwlocks[{0}], CLOCK_MONOTONIC, InASecond())",
    "semtrywait": "!sem_trywait(&semaphores[{0}])",
    "semtimedwait": "!sem_clockwait(&semaphores[{0}], CLOCK_MONOTONIC, InASecond())",
    "semvalue": "value_of(semaphores[{0}])",
    "barrier": "pthread_barrier_wait(&barriers[{0}]) == PTHREAD_BARRIER_SERIAL_THREAD",
    "fwait": "futex_wait(variables[{0}], {1}, nullptr)",
    "ftimedwait": "futex_wait(variables[{0}], {1}, &kSecond)",
    "fwake": "futex_wake(variables[{0}], {1})",
    "tryjoin": "!pthread_tryjoin_np(threads[{0}].native_handle(), nullptr)",
    "timedjoin": "timed_join(threads[{0}])",
    "timedwait": "timed_wait(conditions[{0}], mutexes[{1}])",
    "load": "variables[{0}].load()",
    "add": "variables[{0}].fetch_add({1})",
    "exchange": "variables[{0}].exchange({1})",
    "cas": "compare_exchange(variables[{0}], {1}, {2})",
    "choose": "static_cast<int>(heddle::choose({0}))",
}
BLOCKS = {
    "if": ("if (last == {0}) {{", "}"),
    "while": ("while (last == {0}) {{", "}"),
    "once": ("std::call_once(onces[{0}], [&] {{", "});"),
}


def places_of(operations):
    """How many instructions machine.flatten makes of them."""
    extra = {"if": 1, "while": 2, "once": 2, "static": 4, "leave": 0}
    return sum(extra.get(o.kind, 1) + places_of(o.body) for o in operations)


def statements(thread, operations, indent, place=None):
    """With a `place` each thread notes where it stands, as machine.flatten counts it."""
    for operation in operations:
        kind, arguments = operation.kind, operation.arguments
        if place is not None:
            if kind not in ("if", "while"):
                yield f"{indent}places[{thread}] = {place + 1};"
            here, place = place, place + places_of([operation])
        if kind in BLOCKS:
            opening, closing = BLOCKS[kind]
            yield indent + opening.format(*arguments)
            inside = None if place is None else here + 1
            yield from statements(thread, operation.body, indent + "  ", inside)
            yield indent + closing
        elif kind in EXPRESSIONS:
            value = EXPRESSIONS[kind].format(*arguments)
            yield f"{indent}last = results[{thread}][{operation.slot}] = {value};"
        else:
            yield indent + STATEMENTS[kind].format(*arguments)


def result_count(operations):
    return sum((o.slot >= 0) + result_count(o.body) for o in operations)


def render_program(number, program, values_at_exit, states):
    yield ""
    yield from (f"// {line}" for line in [program.name, *str(program).splitlines()])
    yield f"namespace program_{number} {{"
    for thread, operations in reversed(list(enumerate(program.threads))):
        # A thread may create any other.
        if thread == len(program.threads) - 1:
            yield from (f"void thread_{t}();" for t in range(1, thread + 1))
        yield f"void thread_{thread}() {{"
        yield "  [[maybe_unused]] int last = 0;"
        if thread == 0:
            counts = ", ".join(str(result_count(body)) for body in program.threads)
            yield f"  begin({{{counts}}});"
            if values_at_exit:
                yield "  std::atexit(print_final_values);"
            if states:
                yield "  declare_states();"
        yield from statements(thread, operations, "  ", 0 if states else None)
        if states:
            yield f"  places[{thread}] = {places_of(operations) + 1};"
        if thread == 0 and not program.main_leaves and not values_at_exit:
            yield "  print_final_values();"
        yield "}"
    yield f"}}  // namespace program_{number}"


def render(programs, values_at_exit=False, states=False):
    """The final values are printed when main has come to its end, as the enumerator has it; or by
    the exit, after which no thread makes a step. Only there equivalent executions print the same,
    if main has not joined all others. With `states` each program declares where its threads stand,
    and its variables."""
    lines = ['#include "prelude.h"', "", "using namespace oracle;"]
    for number, program in enumerate(programs):
        lines += render_program(number, program, values_at_exit, states)
    lines += ["", "int main(int, char** argv) {", "  switch (std::atoi(argv[1])) {"]
    for number in range(len(programs)):
        lines += [f"    case {number}:", f"      program_{number}::thread_0();", "      return 0;"]
    lines += ["  }", "  return 2;", "}", ""]
    return "\n".join(lines)
