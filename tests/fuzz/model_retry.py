"""The part of the model (model.py) that knows loops around a compare-exchange: `retry`, of which each load, each store and
each compare-exchange is a step. While a thread is in such a loop, a Loop stands for its last value."""

from dataclasses import dataclass, replace

PURE, AGAIN, OTHER, COUNTS, FIRST, STORES, TWICE = range(7)  # as enum Retry in interpreter_operations.h
BESIDE, BESIDE_SIZE = 40, 4
STEPS = {"retryload", "retrybeside", "retryexchange", "retrystore"}


@dataclass(frozen=True)
class Loop:
    old: int
    first: int
    beside: int = 0
    failed: int = 0


def flatten(arguments):
    """Its instructions; each knows how many are before it."""
    how = arguments[2]
    names = ["retryload", *(["retrybeside"] if how == OTHER else []), "retryexchange", *(["retrystore"] if how == STORES else [])]
    return [[name, (*arguments, place), 0] for place, name in enumerate(names)]


def number_at(buffer, offset, size):
    return int.from_bytes(buffer[offset : offset + size], "little")


def mask(size):
    return (1 << 8 * size) - 1


def written(loop, size, how, number):
    """What the compare-exchange writes. A wide number has the same in both halves."""
    number = number << 64 | number if size == 16 else number
    return ((loop.beside if how == OTHER else loop.old) + number) & mask(size)


def value_of(loop, size, how, told):
    if how in (COUNTS, TWICE):
        return loop.failed
    value = told(loop.first if how == FIRST else loop.old, size)
    return value + 256 * loop.beside if how == OTHER else value


def step(machine, state, name, arguments, loop, told):
    """Performs it: (the loop, how many instructions it goes on, its value). None for a value: it is not over."""
    offset, size, how, number, place = arguments
    there = number_at(state.buffer, offset, size)
    if name == "retryload":
        return Loop(there, there), 1, None
    if name == "retrybeside":
        return replace(loop, beside=number_at(state.buffer, BESIDE, BESIDE_SIZE)), 1, None
    if name == "retrystore":
        machine.write(state, BESIDE, (number & mask(BESIDE_SIZE)).to_bytes(BESIDE_SIZE, "little"))
        return loop, -1, None
    over = 2 if how == STORES else 1
    if there == loop.old:
        machine.write(state, offset, written(loop, size, how, number).to_bytes(size, "little"))
        return loop, over, value_of(loop, size, how, told)
    failed = loop.failed + 1
    loop = replace(loop, old=there, failed=failed if how in (COUNTS, TWICE) else 0, first=loop.first if how == FIRST else 0)
    if how == TWICE and failed == 2:
        return loop, over, value_of(loop, size, how, told)
    if how in (AGAIN, OTHER):
        return loop, -place, None
    return loop, 1 if how == STORES else 0, None
