"""Programs of the fuzzer as a C++ source, to be built with any compiler.

The operations are those of the interpreter, inlined where they are called; results are noted and
printed in the same way. So final values and failures must be the same as when they are interpreted.
Many programs share a source, since most of the time to compile one goes into headers; which of them
is run, its argument says.
"""

import notation

SOURCES = ("interpreter_bytes.cc", "interpreter_objects.cc", "interpreter_library.cc", "interpreter_results.cc")
LEFT_OUT = {"repeat", "oonce"}  # for the sake of simplicity
CALLS = {
    "ld": "atomic_load", "st": "atomic_store", "add": "atomic_add", "orr": "atomic_or", "xchg": "atomic_exchange",
    "cas": "atomic_cas", "vld": "volatile_load", "vst": "volatile_store", "pld": "plain_load", "pst": "plain_store",
    "memset": "set_bytes", "memcpy": "copy_bytes", "copy": "copy_structure", "retry": "atomic_retry", "lock": "mutex_lock",
    "unlock": "mutex_unlock", "trylock": "mutex_try", "timedlock": "mutex_timed", "rdlock": "rwlock_read",
    "wrlock": "rwlock_write", "tryrd": "rwlock_try_read", "trywr": "rwlock_try_write", "rwunlock": "rwlock_unlock",
    "wait": "condition_wait", "timedwait": "condition_timed", "signal": "condition_signal",
    "broadcast": "condition_broadcast", "semwait": "semaphore_wait", "sempost": "semaphore_post",
    "semtry": "semaphore_try", "semtimed": "semaphore_timed", "semvalue": "semaphore_value", "spin": "spin_lock",
    "unspin": "spin_unlock", "latch": "latch_make", "countdown": "latch_down", "latchwait": "latch_wait",
    "latchtry": "latch_try", "barrier": "barrier_make", "arrive": "barrier_arrive", "arrivedrop": "barrier_drop",
    "pbarrier": "pbarrier_make", "pbarrierwait": "pbarrier_wait", "csem": "counting_make",
    "acquire": "counting_acquire", "release": "counting_release", "tryacquire": "counting_try",
    "acquirefor": "counting_for", "tlock": "timed_lock", "tunlock": "timed_unlock", "tlockfor": "timed_lock_for",
    "slock": "shared_lock", "sunlock": "shared_unlock", "sshared": "shared_lock_shared",
    "sunshared": "shared_unlock_shared", "strylock": "shared_try", "sleep": "sleep_us", "pipe": "pipe_make",
    "write": "pipe_write", "read": "pipe_read", "poll": "pipe_poll", "hangup": "pipe_hangup", "file": "file_make",
    "fput": "file_put", "fget": "file_get", "setenv": "environment_set", "getenv": "environment_get",
    "rand": "random_number", "choose": "choose", "testcancel": "pthread_testcancel", "yield": "sched_yield",
}  # fmt: skip
WITH_POINTER = {
    "free": "object_free(pointer)", "realloc": "pointer = object_realloc(pointer, {0})", "old": "object_load(pointer)",
    "ost": "object_store(pointer, {0})", "oadd": "object_add(pointer, {0})", "opld": "object_plain_load(pointer)",
    "opst": "object_plain_store(pointer, {0})", "olock": "pthread_mutex_lock(&pointer->mutex)",
    "ounlock": "pthread_mutex_unlock(&pointer->mutex)", "otrylock": "(pthread_mutex_trylock(&pointer->mutex) == 0)",
    "odestroy": "pthread_mutex_destroy(&pointer->mutex)", "osemwait": "sem_wait(&pointer->semaphore)",
    "osempost": "sem_post(&pointer->semaphore)", "osemtry": "(sem_trywait(&pointer->semaphore) == 0)",
    "ordlock": "pthread_rwlock_rdlock(&pointer->rwlock)", "owrlock": "pthread_rwlock_wrlock(&pointer->rwlock)",
    "orwunlock": "pthread_rwlock_unlock(&pointer->rwlock)", "osignal": "pthread_cond_signal(&pointer->condition)",
    "owait": "pthread_cond_wait(&pointer->condition, &pointer->mutex)", "ospin": "pthread_spin_lock(&pointer->spin)",
    "ounspin": "pthread_spin_unlock(&pointer->spin)",
}  # fmt: skip
STATEMENTS = {
    "create": "start({0}, body_{0})", "join": "pthread_join(handles[{0}], nullptr)",
    "detach": "pthread_detach(handles[{0}])", "cancel": "pthread_cancel(handles[{0}])",
    "canceloff": "pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, nullptr)",
    "cancelon": "pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, nullptr)", "leave": "pthread_exit(nullptr)",
    "make": "pointer = object_make()", "put": "slot_put({0}, pointer)", "mark": "mark = monotonic_us()",
    "smark": "steady_mark = steady_us()", "close": "if (opened > 0) close_descriptor(descriptors[--opened])",
    "assume": "assume(last == {0})", "assumenot": "assume(last != {0})", "assert": "check_assertion(last == {0})",
    "assertnot": "check_assertion(last != {0})", "exit": "std::exit(0)",
}  # fmt: skip
VALUES = {
    "get": "(pointer = slot_get({0})) != nullptr", "take": "(pointer = slot_take({0})) != nullptr",
    "since": "monotonic_us() - mark < {0}", "ssince": "steady_us() - steady_mark < {0}",
    "open": "descriptors[opened++] = open_null()",
}  # fmt: skip
# The compiler may make one of two such accesses, as no thread can tell that does not race.
PLAIN = {"pld", "pst", "opld", "opst", "memset", "memcpy", "copy"}
HEAD = """
// What comes before it stays before it, and stays.
#define KEEP_APART __asm__ volatile("" : : : "memory")

// What each thread has for itself; it may not need all of it.
#define THREAD_REGISTERS                                        \\
  [[maybe_unused]] int64_t last = 0, mark = 0, steady_mark = 0; \\
  [[maybe_unused]] Object* pointer = nullptr;                   \\
  [[maybe_unused]] int descriptors[8], opened = 0;

pthread_t handles[8];

FUZZ_QUIET void start(int body, void* (*function)(void*)) {
  if (pthread_create(&handles[body], nullptr, function, nullptr) != 0) std::abort();
}

"""


def is_split(operation):
    """Whether a compiler may make several accesses of it, or one that the machine refuses: 16 bytes across a border of
    16, memset of odd sizes, and copies, which Clang reads and then writes."""
    name, arguments = operation.name, operation.arguments
    if name == "memcpy":
        return True
    if name == "memset":
        return arguments[1] & (arguments[1] - 1) != 0
    is_wide = name in ("ld", "st", "xchg", "cas", "retry") and arguments[1] == 16
    return is_wide and arguments[0] % 16 != 0 or any(map(is_split, operation.body))


def covers(program):
    if notation.names_in(program) & LEFT_OUT:
        return False
    return not any(is_split(operation) for body in program.bodies for operation in body)


def number(value):
    return f"static_cast<int64_t>({value:#x}ull)" if value > 0x7FFFFFFF else str(value)


def statements(thread, operations, indent):
    for operation in operations:
        name, arguments = operation.name, [number(a) for a in operation.arguments]
        if name in ("if", "ifnot"):
            yield f"{indent}if (last {'==' if name == 'if' else '!='} {arguments[0]}) {{"
            yield from statements(thread, operation.body, indent + "  ")
            yield f"{indent}}}"
            continue
        if name == "once":
            yield f"{indent}{{"
            yield f"{indent}auto inside = [&] {{"
            yield from statements(thread, operation.body, indent + "  ")
            yield f"{indent}}};"
            yield f"{indent}call_once({arguments[0]}, [](void* context) {{ (*static_cast<decltype(inside)*>(context))(); }}, &inside);"
            yield f"{indent}}}"
            continue
        if name in WITH_POINTER:
            what = WITH_POINTER[name].format(*arguments)
            if notation.TABLE[name][1] == "v":
                yield f"{indent}last = note(&g_results[{thread}], pointer != nullptr ? {what} : kNoPointer);"
            else:
                yield f"{indent}if (pointer != nullptr) {what};"
        elif name in STATEMENTS:
            yield f"{indent}{STATEMENTS[name].format(*arguments)};"
        else:
            call = VALUES[name].format(*arguments) if name in VALUES else f"{CALLS[name]}({', '.join(arguments)})"
            noted = notation.TABLE[name][1] == "v"
            yield f"{indent}last = note(&g_results[{thread}], {call});" if noted else f"{indent}{call};"
        if name in PLAIN:
            yield f"{indent}KEEP_APART;"


def functions(program, number):
    yield f"// {program}"
    yield f"namespace program_{number} {{"
    yield from (f"void* body_{i}(void*);" for i in range(len(program.bodies)))
    for i, body in enumerate(program.bodies):
        yield from ("", f"void* body_{i}(void*) {{", "  THREAD_REGISTERS")
        yield from statements(i, body, "  ")
        yield from ("  return nullptr;", "}")
    yield "}"


def render(programs):
    lines = ["#define FUZZ_OPERATION inline", "#include <sched.h>", "#include <cstdlib>"]
    lines += [f'#include "{notation.HERE / source}"' for source in SOURCES]
    lines += ["", "using namespace fuzz;", HEAD]
    for number, program in enumerate(programs):
        lines += [*functions(program, number), ""]
    mains = ", ".join(f"program_{number}::body_0" for number in range(len(programs)))
    lines += ["FUZZ_QUIET int main(int, char** arguments) {", f"  void* (*const mains[])(void*) = {{{mains}}};"]
    lines += ["  std::atexit(print_final);", "  mains[std::atoi(arguments[1])](nullptr);", "}", ""]
    return "\n".join(lines)
