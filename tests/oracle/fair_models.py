"""The programs of bench/fair that declare states, once more as models: with the same places, so that the declared states can be
compared one by one. `declared` are those of a state of the machine, as the programs tell them."""

import fair
import labelled
from labelled import BEGIN, OVER, UNBORN, Instruction, create, join, lock, to, try_lock, unlock, yields

ROOM = 4  # threads in the programs' arrays


def shown(place, end):
    """What is in the program's array: a thread that has not begun has not written, an end is nothing that it could write after."""
    return {UNBORN: 0, BEGIN: 0, OVER: end}.get(place, place)


class Philosophers(labelled.Machine):
    def __init__(self, count):
        self.count = count
        forks = [f"fork {i}" for i in range(count)]
        chain = [create(i + 1, i + 1) for i in range(count)] + [join(i + 1, count + i + 1) for i in range(count)]
        code = [(0, dict(enumerate(chain)))]
        code.append((1, {1: lock(forks[0], 2), 2: lock(forks[1], 3), 3: unlock(forks[0], 4), 4: unlock(forks[1], 5)}))
        for i in range(1, count):
            first, second = forks[i], forks[(i + 1) % count]
            code.append((1, {
                1: lock(first, 2), 2: try_lock(second, 4, 3), 3: unlock(first, 1),
                4: unlock(first, 5), 5: unlock(second, 6),
            }))  # fmt: skip
        super().__init__(code, dict.fromkeys(forks, False))

    def declared(self, state):
        ends = [5] + [6] * (self.count - 1)
        return tuple(map(shown, state.places[1:], ends)) + (0,) * (ROOM - self.count)


class WorkStealing(labelled.Machine):
    """The owner is main; `item` of a thread is what it will have got when it has let go of the lock."""

    def __init__(self, thieves):
        self.thieves = thieves
        world = {"head": 0, "tail": 0, "own": 0, "lock": False, "done": False}
        for me in range(thieves + 1):
            world[f"got {me}"] = world[f"item {me}"] = 0
        code = [(1, self.owner())] + [(1, self.thief()) for _ in range(thieves)]
        super().__init__(code, world)

    def owner(self):
        chain = {i: create(i, i + 1 if i < self.thieves else 4) for i in range(1, self.thieves + 1)}
        chain |= {4: Instruction(self.move_tail(1, 5)), 5: Instruction(self.move_tail(1, 10))}
        chain |= self.pop(10, 20) | self.pop(20, 6)
        chain[6] = Instruction(to(31, done=True))
        for i in range(1, self.thieves + 1):
            chain[30 + i] = join(i, 31 + i if i < self.thieves else 40)
        return chain

    @staticmethod
    def move_tail(by, place):
        def do(world, _):
            world["own"] += by
            world["tail"] = world["own"]
            return place

        return do

    def pop(self, place, following):
        def look(world, _):
            if world["head"] > world["own"]:
                return place + 2
            world["got 0"] += world["own"] + 1  # item i is at i - 1
            return following

        def look_again(world, _):
            if world["head"] > world["own"]:
                return place + 6
            world["item 0"] = world["own"] + 1
            return place + 7

        def let_go(world, _):
            world["lock"] = False
            world["got 0"] += world["item 0"]
            world["item 0"] = 0
            return following

        return {
            place: Instruction(self.move_tail(-1, place + 1)),
            place + 1: Instruction(look),
            place + 2: Instruction(self.move_tail(1, place + 3)),
            place + 3: lock("lock", place + 4),
            place + 4: Instruction(self.move_tail(-1, place + 5)),
            place + 5: Instruction(look_again),
            place + 6: Instruction(self.move_tail(1, place + 7)),
            place + 7: Instruction(let_go),
        }

    def thief(self):
        def look(world, me):
            if world["head"] > world["tail"]:
                return 5
            world[f"item {me}"] = world["head"]  # item i is at i - 1
            return 6

        def advance(by, place):
            def do(world, _):
                world["head"] += by
                return place

            return do

        def let_go(world, me):
            world["lock"] = False
            item, world[f"item {me}"] = world[f"item {me}"], 0
            world[f"got {me}"] += item
            return 1 if item else 7

        return {
            1: Instruction(lambda world, _: 8 if world["done"] else 2),
            2: lock("lock", 3),
            3: Instruction(advance(1, 4)),
            4: Instruction(look),
            5: Instruction(advance(-1, 6)),
            6: Instruction(let_go),
            7: yields(1),
        }

    def declared(self, state):
        world, spare = dict(state.world), (0,) * (ROOM - 1 - self.thieves)
        places = (state.places[0], *(shown(place, 8) for place in state.places[1:]), *spare)
        got = (*(world[f"got {me}"] for me in range(self.thieves + 1)), *spare)
        return (*places, *got, world["head"], world["tail"], world["own"])


def declared_states(machine, reached):
    """Before main's beginning nothing is declared yet."""
    states = map(fair.plain, reached)
    return {machine.declared(state) for state in states if state.places[0] != BEGIN}
