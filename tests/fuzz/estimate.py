"""How many schedules a program has, by its model. A few more steps may be made than the model has, so it is an
estimate, and a low one; None: the model cannot tell."""

import sys

import model

MOST_STATES = 50_000
sys.setrecursionlimit(100_000)  # a program may have hundreds of steps


class Schedules:
    def __init__(self, program):
        self.machine = model.Machine(program)
        self.known = {}

    def after(self, state, thread, outcome):
        try:
            return self.count(self.machine.step(state, thread, outcome))
        except (model.Ended, model.Pruned, model.Failed):
            return 1

    def count(self, state):
        key = state.key()
        if key not in self.known:
            if len(self.known) > MOST_STATES:
                raise model.Unknown
            able = [i for i in range(len(self.machine.codes)) if self.machine.can_go(state, i)]
            ways = [(thread, outcome) for thread in able for outcome in self.machine.options(state, thread)]
            self.known[key] = sum(self.after(state, *way) for way in ways) if ways else 1
        return self.known[key]


def schedules(program):
    if not model.covers(program):
        return None
    all_of_it = Schedules(program)
    state = all_of_it.machine.initial()
    try:
        all_of_it.machine.go_on(state, 0)
        return all_of_it.count(state)
    except (model.Pruned, model.Failed):
        return 1
    except model.Unknown:
        return None
