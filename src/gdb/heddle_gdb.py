"""The commands of `heddle replay --gdb`, for gdb, which heddle has started with this file.

The program runs along its schedule in the process that gdb starts, with an OS thread for each of its
threads. Its runtime, libheddle.so, calls functions at which this file has breakpoints, and shows its
state in heddle_debugger: see src/runtime/debugger.h. What is to happen, in words, comes from the replay
that heddle has made before: the story. To go back is to run again, up to an earlier step.
"""

import contextlib
import json
import os
import re
import shlex
import signal
import struct
import threading

import gdb
import gdb.FrameDecorator

LAYOUT = 1  # kDebuggerLayout
STATE = struct.Struct("<8IQQ")  # Debugger
BEFORE, RUNNING, AT_STEP, ENDED = range(4)  # DebuggerState
STOP_AT = 12  # bytes before Debugger::stop_at
NEVER = 0xFFFFFFFF
HANG_SECONDS = 1.0  # that a thread which makes no more steps is left to run

OUTER = ("heddle", "__tsan")  # beginnings of names that say nothing to a user


def is_runtime(pc):
    library = gdb.solib_name(pc)
    return library is not None and os.path.basename(library).startswith("libheddle.so")


def is_system(frame):
    symtab = frame.find_sal().symtab
    library = gdb.solib_name(frame.pc()) or ""
    if symtab is not None:
        return symtab.fullname().startswith(("/usr/include/", "/usr/lib/"))
    return library.startswith(("/lib/", "/lib64/", "/usr/lib/"))


def frames():
    frame = gdb.newest_frame()
    while frame is not None and frame.is_valid():
        yield frame
        try:
            frame = frame.older()
        except gdb.error:  # a broken stack
            return


def user_frame():
    """The innermost frame of the user's code that has a line; or of the user's code; or None."""
    unknown = None
    for frame in frames():
        if is_runtime(frame.pc()) or is_system(frame):
            continue
        if frame.find_sal().symtab is not None:
            return frame
        unknown = unknown or frame
    return unknown


def selected_frame():
    try:
        return gdb.selected_frame()
    except gdb.error:
        return None


def frame_words(frame):
    """'increase, counter.cc:10'"""
    if frame is None:
        return "not in the user's code"
    sal = frame.find_sal()
    name = frame.name() or "?"
    return f"{name}, {os.path.basename(sal.symtab.filename)}:{sal.line}" if sal.symtab is not None else name


class ByName(gdb.FrameDecorator.FrameDecorator):
    """A frame of a function that has a symbol, but no debug information: a package has none."""

    def function(self):
        function = super().function()
        return function if isinstance(function, str) else self.inferior_frame().name() or function


class HideRuntime:
    """A frame filter: of Heddle's frames only those are shown that the program has called by name."""

    def __init__(self):
        self.name = "heddle"
        self.priority = 100
        self.enabled = True
        gdb.frame_filters[self.name] = self

    def filter(self, decorated):
        own = None
        shown = False
        for frame in decorated:
            if is_runtime(frame.inferior_frame().pc()):
                own = ByName(frame)
                continue
            if own is not None and not str(own.function()).startswith(OUTER):
                yield own
            own = None
            shown = True
            yield frame
        if own is not None and not shown:
            yield own


class Now:
    """Where the execution is."""

    def __init__(self, data):
        (layout, self.state, self.step, _, self.thread, self.thread_count, self.failed, _, self.tids, self.outcome) = (
            STATE.unpack(data)
        )
        if layout not in (0, LAYOUT):
            raise gdb.GdbError("heddle: the program's libheddle.so is of another version")


class Hook(gdb.Breakpoint):
    """At a function of the runtime. It stops the program if `action` says so."""

    def __init__(self, function, action):
        super().__init__(function, internal=True)
        self.silent = True
        self.action = action

    def stop(self):
        return self.action()


class Replay:
    def __init__(self, story):
        self.story = story
        self.target = NEVER  # the step before which the next run is to stop
        self.working = False  # a command of ours runs the program
        self.signalled = False  # what stopped it last was a signal
        self.hooks = []
        self.count = story["count"]
        gdb.events.new_objfile.connect(self.on_new_objfile)
        gdb.events.stop.connect(self.on_stop)

    # The program's state.

    def address(self):
        return int(gdb.parse_and_eval("(unsigned long)&heddle_debugger"))

    def now(self):
        """None: the program does not run, or not far enough."""
        inferior = gdb.selected_inferior()
        if inferior.pid == 0 or not self.hooks:
            return None
        try:
            now = Now(inferior.read_memory(self.address(), STATE.size).tobytes())
        except gdb.error:
            return None
        return now if now.tids != 0 else None

    def write_target(self):
        data = struct.pack("<I", self.target)
        gdb.selected_inferior().write_memory(self.address() + STOP_AT, data)

    def on_begin(self):
        self.write_target()
        return False

    def on_thread(self):
        self.name_threads()
        return False

    def on_new_objfile(self, event):
        if self.hooks or not os.path.basename(event.new_objfile.filename).startswith("libheddle.so"):
            return
        self.hooks = [
            Hook("heddle_debugger_begin", self.on_begin),
            Hook("heddle_debugger_thread", self.on_thread),
            Hook("heddle_debugger_stop", lambda: True),
            Hook("heddle_debugger_end", lambda: True),
        ]

    def name_threads(self):
        now = self.now()
        if now is None:
            return
        inferior = gdb.selected_inferior()
        count = now.thread_count
        tids = struct.unpack(f"<{count}i", inferior.read_memory(now.tids, 4 * count).tobytes())
        names = {}
        for number, tid in enumerate(tids):
            name = self.thread_name(number)
            names[abs(tid)] = name if tid > 0 else name + " (ended)"
        for thread in inferior.threads():
            name = names.get(thread.ptid[1])
            if name is not None and thread.name != name:
                thread.name = name

    def on_stop(self, event):
        self.signalled = isinstance(event, gdb.SignalEvent)
        if self.working:
            return
        self.name_threads()
        now = self.now()
        ours = isinstance(event, gdb.BreakpointEvent) and any(b in self.hooks for b in event.breakpoints)
        if now is not None and (ours or self.is_crash(now)):
            self.tell(now)

    def is_crash(self, now):
        """Whether the signal that has stopped it is the failure: the runtime has not seen it yet."""
        failure = self.story.get("failure")
        at_last_step = now.state == RUNNING and now.step == self.count - 1
        return self.signalled and at_last_step and failure is not None and failure["kind"] in ("crash", "assertion")

    # Words.

    def thread_name(self, number):
        names = self.story["threads"]
        return names[number] if number < len(names) else f"thread {number}"

    def step_words(self, step):
        """'T1: lock mutex m, queue.h:41'"""
        index = step - self.story["first"]
        if not 0 <= index < len(self.story["steps"]):
            return ""
        thread, words, place = self.story["steps"][index]
        return f"{self.thread_name(thread)}: {words}" + (f", {place}" if place else "")

    def preemption_words(self, step):
        for number, (other, note) in enumerate(self.story["preemptions"], 1):
            if other == step:
                return f"preemption {number}: {note}" if note else f"preemption {number}"
        return ""

    def failure_words(self):
        failure = self.story.get("failure")
        if failure is None:
            return "no failure"
        return failure["line"] + "".join("\n  " + line for line in failure["message"].splitlines())

    def last(self):
        return f"0 to {self.count - 1}"

    def place_words(self, now):
        if now is None:
            return "the program does not run; heddle goto 0 starts it"
        if now.state == BEFORE:
            return "main has not begun"
        if now.state == ENDED:
            return self.end_words(now)
        if self.is_crash(now):
            return f"just before the failure, after {self.count} steps: {self.failure_words()}"
        relation = "before" if now.state == AT_STEP else "in"
        text = f"{relation} step {now.step} of {self.last()}"
        words = self.step_words(now.step)
        text += ": " + (words or self.thread_name(now.thread))
        preemption = self.preemption_words(now.step)
        return text + ("\n  " + preemption if preemption else "")

    def end_words(self, now):
        inferior = gdb.selected_inferior()
        outcome = inferior.read_memory(now.outcome, 64).tobytes().split(b"\0")[0].decode()
        failure = self.story.get("failure")
        if now.failed and failure is not None and failure["kind"] == outcome and now.step == self.count:
            return f"just before the failure, after {now.step} steps: {self.failure_words()}"
        if now.failed:
            return f"just before a failure that the replay did not have, after {now.step} steps: {outcome}"
        return f"the execution is over, after {now.step} steps: {outcome}"

    def tell(self, now):
        gdb.write("heddle: " + self.place_words(now) + "\n")
        if now is None or now.state == BEFORE:
            return
        frame = user_frame()
        if frame is not None:
            frame.select()
            # Without its number, which counts frames that are not shown.
            gdb.write(re.sub(r"^#\d+ +(0x[0-9a-f]+ in )?", "", gdb.execute("frame", to_string=True)))

    # Ways to go.

    @contextlib.contextmanager
    def undisturbed(self):
        """Without the user's breakpoints: a command of ours leads to where it says."""
        stopped = [point for point in gdb.breakpoints() if point.enabled and point not in self.hooks]
        self.working = True
        try:
            for point in stopped:
                point.enabled = False
            yield
        finally:
            self.working = False
            for point in stopped:
                if point.is_valid():
                    point.enabled = True

    def go(self, target):
        """To before the step `target`, or to the end of the execution; from the start, if need be."""
        now = self.now()
        position = NEVER if now is None else now.step
        again = now is None or now.state == ENDED or target < position or (target == position and now.state == RUNNING)
        if now is not None and now.state == AT_STEP and target == position:
            return self.tell(now)
        self.target = target
        with self.undisturbed():
            if again:
                said = gdb.execute("run", to_string=True)
            else:
                self.write_target()
                said = gdb.execute("continue", to_string=True)
            self.target = NEVER
            now = self.now()
            if now is not None:
                self.write_target()
        self.name_threads()
        arrived = now is not None and (
            now.state == ENDED or self.is_crash(now) or (now.state == AT_STEP and now.step == target)
        )
        if not arrived:
            gdb.write(said)
        self.tell(now)

    def go_forward(self, target):
        self.go(target if target < self.count else NEVER)

    def go_to_failure(self):
        now = self.now()
        if now is not None and now.state == ENDED:
            return self.tell(now)
        failure = self.story.get("failure")
        if failure is not None and failure["kind"] == "hang":
            return self.go_to_hang()
        self.go(NEVER)

    def go_to_hang(self):
        """The last step is made, and then the thread runs on: it is left alone for a while."""
        now = self.now()
        if now is None or now.state != AT_STEP or now.step != self.count - 1:
            self.go(self.count - 1)
        pid = gdb.selected_inferior().pid
        timer = threading.Timer(HANG_SECONDS, os.kill, (pid, signal.SIGINT))
        with self.undisturbed():
            timer.start()
            gdb.execute("continue", to_string=True)
            timer.cancel()
        now = self.now()
        if now is not None and now.state == RUNNING:
            gdb.write(f"heddle: in the failure, after {self.count} steps: {self.failure_words()}\n")
        self.tell(now)


REPLAY = None


def number(text, usual=None):
    if not text and usual is not None:
        return usual
    if not text.isdecimal():
        raise gdb.GdbError(f"heddle: a number is needed here, not '{text}'")
    return int(text)


class Heddle(gdb.Command):
    """Go along the schedule that this program is replayed with.

heddle step [N]        to before the next step, or the N-th from here
heddle back [N]        to before the step before this one, or the N-th before it
heddle goto STEP       to before the step of this number
heddle preemption [N]  to before the N-th preemption, or the next one
heddle failure         to just before the failure
heddle where           which step this is, and who makes it
heddle threads         where each thread is, in your code
heddle steps [FROM]    the steps around this one, or from a number on

A step is one operation of one thread, up to its next one; the report numbers them. To go back, the
program is run again: what you have changed in it is lost. These commands do not stop at breakpoints
on their way. The others of gdb do, and work as ever; continue stops just before the failure, too."""

    def __init__(self):
        super().__init__("heddle", gdb.COMMAND_RUNNING, gdb.COMPLETE_NONE, True)

    def invoke(self, argument, from_tty):
        if argument:
            raise gdb.GdbError(f"heddle: there is no 'heddle {argument}'; type: help heddle")
        gdb.write(self.__doc__ + "\n")


class Step(gdb.Command):
    """heddle step [N]: go to before the next step, or the N-th from here."""

    def __init__(self):
        super().__init__("heddle step", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        now = REPLAY.now()
        if now is None:
            return REPLAY.go(0)
        if now.state == ENDED:
            raise gdb.GdbError("heddle: the execution is over; heddle back goes to its last step")
        REPLAY.go_forward(now.step + max(1, number(argument, 1)))


class Back(gdb.Command):
    """heddle back [N]: go to before the step before this one, or the N-th before it. The program is run again."""

    def __init__(self):
        super().__init__("heddle back", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        now = REPLAY.now()
        # Who stands in the middle of a step goes to its beginning first.
        position = REPLAY.count if now is None else now.step + (now.state == RUNNING)
        target = position - max(1, number(argument, 1))
        if target < 0:
            raise gdb.GdbError(f"heddle: there are no {number(argument, 1)} steps before this place")
        REPLAY.go(target)


class Goto(gdb.Command):
    """heddle goto STEP: go to before the step of this number."""

    def __init__(self):
        super().__init__("heddle goto", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        target = number(argument)
        if target >= REPLAY.count:
            raise gdb.GdbError(f"heddle: the steps are {REPLAY.last()}; behind them: heddle failure")
        REPLAY.go(target)


class Preemption(gdb.Command):
    """heddle preemption [N]: go to before the N-th preemption, or the next one."""

    def __init__(self):
        super().__init__("heddle preemption", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        steps = [step for step, _ in REPLAY.story["preemptions"]]
        if not steps:
            raise gdb.GdbError("heddle: this schedule has no preemption")
        if argument:
            which = number(argument)
            if not 1 <= which <= len(steps):
                raise gdb.GdbError(f"heddle: the preemptions are 1 to {len(steps)}")
            return REPLAY.go(steps[which - 1])
        now = REPLAY.now()
        position = -1 if now is None else now.step
        later = [step for step in steps if step > position]
        if not later:
            raise gdb.GdbError("heddle: no preemption follows; heddle preemption 1 goes to the first")
        REPLAY.go(later[0])


class Failure(gdb.Command):
    """heddle failure: go to just before the failure, with all threads where they are then."""

    def __init__(self):
        super().__init__("heddle failure", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        REPLAY.go_to_failure()


class Where(gdb.Command):
    """heddle where: which step this is, and who makes it."""

    def __init__(self):
        super().__init__("heddle where", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        gdb.write("heddle: " + REPLAY.place_words(REPLAY.now()) + "\n")


class Threads(gdb.Command):
    """heddle threads: where each thread of the program is, in your code."""

    def __init__(self):
        super().__init__("heddle threads", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        selected, frame = gdb.selected_thread(), selected_frame()
        for thread in sorted(gdb.selected_inferior().threads(), key=lambda thread: thread.num):
            thread.switch()
            mark = "*" if selected is not None and thread.num == selected.num else " "
            gdb.write(f"{mark} {thread.num:4}  {thread.name or '?':8}  {frame_words(user_frame())}\n")
        if selected is not None:
            selected.switch()
            if frame is not None:
                frame.select()


class Steps(gdb.Command):
    """heddle steps [FROM]: list the steps around this one, or from a number on."""

    def __init__(self):
        super().__init__("heddle steps", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        now = REPLAY.now()
        here = None if now is None else now.step
        first = number(argument, max(0, (here or 0) - 5))
        for step in range(first, min(first + 11, REPLAY.count)):
            preemption = REPLAY.preemption_words(step)
            if preemption:
                gdb.write(f"          -- {preemption}\n")
            mark = "=>" if step == here else "  "
            gdb.write(f"{mark} {step:6}  {REPLAY.step_words(step)}\n")


def begin():
    global REPLAY
    story_fd = os.environ.pop("HEDDLE_GDB_STORY", None)
    launch_fd = os.environ.pop("HEDDLE_GDB_LAUNCH", None)
    command = os.environ.pop("HEDDLE_GDB_COMMAND", None)
    if story_fd is None:
        raise gdb.GdbError("heddle: this file is for heddle replay --gdb FILE")
    with open(f"/proc/self/fd/{story_fd}", encoding="utf-8") as file:
        story = json.load(file)
    REPLAY = Replay(story)
    HideRuntime()
    for kind in (Heddle, Step, Back, Goto, Preemption, Failure, Where, Threads, Steps):
        kind()
    gdb.execute("set print thread-events off")
    gdb.execute("set startup-with-shell on")
    gdb.execute("set disable-randomization " + ("off" if os.environ.get("HEDDLE_ASLR") == "1" else "on"))
    gdb.execute(f"set exec-wrapper {shlex.quote(command)} start-debugged {launch_fd}")
    gdb.execute("file " + shlex.quote(story["program"]), to_string=True)
    for note in story["notes"]:
        gdb.write(f"heddle: note: {note}\n")
    preemptions = len(story["preemptions"])
    gdb.write(
        f"heddle: {REPLAY.failure_words()}\n"
        f"heddle: {REPLAY.count} steps, {preemptions} preemption{'' if preemptions == 1 else 's'}; "
        "help heddle lists the commands\n"
    )
    REPLAY.go(0)


begin()
