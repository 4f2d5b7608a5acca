"""Model programs as C++: one source for many of them, the first argument says which is to run."""

STATEMENTS = {
    "create": "threads[{0}] = std::thread(thread_{0});",
    "join": "threads[{0}].join();",
    "detach": "threads[{0}].detach();",
    "lock": "mutexes[{0}].lock();",
    "unlock": "mutexes[{0}].unlock();",
    "rlock": "recursives[{0}].lock();",
    "runlock": "recursives[{0}].unlock();",
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
    "assert": "HEDDLE_ASSERT(last == {0});",
    "assume": "heddle::assume(last == {0});",
}
EXPRESSIONS = {
    "trylock": "mutexes[{0}].try_lock()",
    "timedlock": "timed_lock(mutexes[{0}])",
    "rtrylock": "recursives[{0}].try_lock()",
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


def statements(thread, operations, indent):
    for operation in operations:
        kind, arguments = operation.kind, operation.arguments
        if kind in BLOCKS:
            opening, closing = BLOCKS[kind]
            yield indent + opening.format(*arguments)
            yield from statements(thread, operation.body, indent + "  ")
            yield indent + closing
        elif kind in EXPRESSIONS:
            value = EXPRESSIONS[kind].format(*arguments)
            yield f"{indent}last = results[{thread}][{operation.slot}] = {value};"
        else:
            yield indent + STATEMENTS[kind].format(*arguments)


def result_count(operations):
    return sum((o.slot >= 0) + result_count(o.body) for o in operations)


def render_program(number, program):
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
        yield from statements(thread, operations, "  ")
        if thread == 0 and not program.main_leaves:
            yield "  print_final_values();"
        yield "}"
    yield f"}}  // namespace program_{number}"


def render(programs):
    lines = ['#include "prelude.h"', "", "using namespace oracle;"]
    for number, program in enumerate(programs):
        lines += render_program(number, program)
    lines += ["", "int main(int, char** argv) {", "  switch (std::atoi(argv[1])) {"]
    for number in range(len(programs)):
        lines += [f"    case {number}:", f"      program_{number}::thread_0();", "      return 0;"]
    lines += ["  }", "  return 2;", "}", ""]
    return "\n".join(lines)
