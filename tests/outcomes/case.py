"""A program of this folder and its model. case() says how heddle is to search the program:

bound        on preemptions, where a search without one would take long
steps        cut executions after so many: libstdc++ spins there on a lock of its own, for which
             there is no last execution
options      of heddle run
native_runs  how often it is run natively; never if it may wait for ever
beyond       what libstdc++ 12 shows beyond the standard: a defect of its own, known to its
             authors, that heddle finds
"""

from dataclasses import dataclass

import interleave

CASES = []


@dataclass
class Case:
    program: str
    model: object
    bound: int | None = None
    steps: int | None = None
    options: tuple = ()
    native_runs: int = 100  # in one process
    beyond: frozenset = frozenset()

    @property
    def name(self):
        return " ".join([self.program, *self.options])

    def outcomes(self):
        return interleave.outcomes(self.model)


def case(program=None, **how):
    def add(model):
        CASES.append(Case(program or model.__name__, model, **how))
        return model

    return add
