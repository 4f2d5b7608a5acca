"""Frames of the stack in gdb: which are the user's, what they are called, and which a backtrace shows."""

import os

import gdb
import gdb.FrameDecorator

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
