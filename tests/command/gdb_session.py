"""Goes through an execution in gdb, forward to its failure and back, and looks at every place.

For tests/cli/debugger.py, which says what must come. Prints a line for each place, and one that begins with `wrong`
where gdb and the story of the replay differ.
"""

import os
import re
import struct

import gdb
import heddle_gdb

MOST = 20  # steps that are made one by one
replay = heddle_gdb.REPLAY
story = replay.story


def say(text):
    gdb.write(f"SESSION {text}\n")


def run(command):
    return gdb.execute(command, to_string=True)


def places(thread):
    """The lines that the thread's frames are at."""
    thread.switch()
    lines = set()
    frame = gdb.newest_frame()
    while frame is not None:
        sal = frame.find_sal()
        if sal.symtab is not None:
            lines.add(f"{os.path.basename(sal.symtab.filename)}:{sal.line}")
        frame = frame.older()
    return lines


def os_threads():
    """By the number of the program's thread, of those that live."""
    now = replay.now()
    data = gdb.selected_inferior().read_memory(now.tids, 4 * now.thread_count).tobytes()
    lwps = {thread.ptid[1]: thread for thread in gdb.selected_inferior().threads()}
    return {
        number: lwps[tid] for number, tid in enumerate(struct.unpack(f"<{now.thread_count}i", data)) if tid > 0
    }


def look(step):
    """Before this step: its thread is the selected one, and stands where the report says."""
    now = replay.now()
    if (now.state, now.step) != (2, step):
        return say(f"wrong place: {now.state} {now.step}, not before {step}")
    thread, words, place = story["steps"][step - story["first"]]
    if now.thread != thread:
        say(f"wrong thread {now.thread} makes step {step}, not {thread}")
    threads = os_threads()
    selected = gdb.selected_thread()
    if selected.ptid != threads[thread].ptid:
        say(f"wrong OS thread is selected before step {step}")
    if selected.name != story["threads"][thread]:
        say(f"wrong name '{selected.name}' of thread {thread}")
    # A thread that begins has no frames yet, and one that ends none any more; as main, where it has returned.
    has_frames = words not in ("thread begins", "thread ends", "exit")
    if has_frames and ":" in place and place not in places(selected):
        say(f"wrong frames before step {step}: {sorted(places(selected))} lack {place}")
    say(f"step {step} {words}")


def backtrace():
    """In one line, and without the numbers of frames: they count those that are not shown."""
    return re.sub(r"#\d+ +", "", run("backtrace")).replace("\n", " | ")


def at_failure():
    """All threads' backtraces; the failing thread's first."""
    text = [run("heddle where").split("\n")[0], backtrace()]
    for thread in os_threads().values():
        thread.switch()
        text.append(backtrace())
    return " || ".join(text)


def main():
    say(f"kind {story['failure']['kind']}")
    count = story["count"]
    look(0)
    for step in range(1, min(count, MOST)):
        run("heddle step")
        look(step)
    run("heddle failure")
    say("failure " + at_failure())
    for back in range(1, min(count, 4)):
        run("heddle back")
        look(count - back)
    for number, (step, note) in enumerate(story["preemptions"], 1):
        run(f"heddle preemption {number}")
        look(step)
    run(f"heddle goto {count // 2}")
    look(count // 2)
    run("heddle failure")
    say("failure " + at_failure())
    say("done")


main()
