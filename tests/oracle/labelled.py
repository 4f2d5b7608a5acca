"""Model programs whose threads are tables of numbered places, written in Python: for programs that need
more than model.py's notation. A machine for the enumerator and for fair.FairMachine.

An instruction stands at a place: the thread's next operation. Its `do(world, me)` performs it on the
world, a dictionary that it may change, and returns the next place. As in machine.py, the first step of a
thread is its begin, the last its end; main's last is its exit, which ends the execution.
"""

from dataclasses import dataclass
from typing import Callable, NamedTuple

from machine import IN_VAIN, NONE, YIELD, Ending, Option

UNBORN, BEGIN, OVER = -2, -1, 1000
FINISHED = Ending("finished", None)


class State(NamedTuple):
    places: tuple
    world: tuple  # of (name, value)


@dataclass
class Instruction:
    do: Callable
    when: Callable = lambda world: True
    late: bool = False
    in_vain: int | None = None  # of a try: the place that it leads to then


@dataclass
class Machine:
    """`code` has for each thread its first place and its instructions by place; main is the first. A
    place without instruction is the end."""

    code: list
    world: dict

    def start(self):
        places = (BEGIN,) + (UNBORN,) * (len(self.code) - 1)
        return State(places, tuple(self.world.items()))

    def options(self, state):
        found = []
        world = {**dict(state.world), "places": state.places}
        for thread, place in enumerate(state.places):
            instruction = self.code[thread][1].get(place)
            late = instruction is not None and instruction.late
            if place not in (UNBORN, OVER) and (instruction is None or instruction.when(world)):
                found.append(Option(thread, 0, late))
        return found

    def step(self, state, thread, _):
        places, place = list(state.places), state.places[thread]
        first, instructions = self.code[thread]
        if place == BEGIN:
            places[thread] = first
        elif place not in instructions:
            if thread == 0:
                return FINISHED
            places[thread] = OVER
        else:
            world = {**dict(state.world), "places": places}
            places[thread] = instructions[place].do(world, thread)
            del world["places"]
            return State(tuple(places), tuple(world.items()))
        return State(tuple(places), state.world)

    def yield_of(self, state, thread, after):
        instruction = self.code[thread][1].get(state.places[thread])
        if instruction is None:
            return NONE
        if after.places[thread] == instruction.in_vain:
            return IN_VAIN
        return YIELD if instruction.late else NONE

    def deadlock(self):
        return Ending("deadlock", None)


# Instructions.


def to(place, **changes):
    """Sets parts of the world, and goes on to the place."""

    def do(world, _):
        world.update(changes)
        return place

    return do


def create(child, place):
    def do(world, _):
        world["places"][child] = BEGIN
        return place

    return Instruction(do)


def join(child, place):
    return Instruction(to(place), when=lambda world: world["places"][child] == OVER)


def lock(name, place):
    return Instruction(to(place, **{name: True}), when=lambda world: not world[name])


def try_lock(name, done, failed):
    def do(world, _):
        if world[name]:
            return failed
        world[name] = True
        return done

    return Instruction(do, in_vain=failed)


def unlock(name, place):
    return Instruction(to(place, **{name: False}))


def yields(place):
    return Instruction(to(place), late=True)
