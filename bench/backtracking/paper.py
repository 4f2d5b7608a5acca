"""The numbers of the paper: Parízek and Lhoták, Randomized Backtracking in State Space Traversal (SPIN 2011), tables 1 to 5."""

from dataclasses import dataclass


@dataclass
class Row:
    """States processed until the error, over the runs that found it, and the share of those. None: no run did."""
    configuration: str
    mean: float | None = None
    least: float | None = None
    most: float | None = None
    deviation: float | None = None
    found: int = 100  # percent


def exact(configuration, states):
    """A technique without chance."""
    return Row(configuration, states, states, states, 0)


@dataclass
class Threshold:
    """A column of table 5: (H, random, 0.9). None: no run found the error, or the number is not legible."""
    states: float | None = None
    depth: float | None = None
    deviation: float | None = None  # of the depth
    found: float | None = 0  # percent


THREADS = {"Daisy file system": 2, "Elevator": 4, "Alarm Clock": 3, "Linked List": 2, "Producer Consumer": 7, "RAX Extended": 5,
           "Replicated Workers": 6}

DAISY_SWITCH = exact("thread interleavings", 139)
DAISY_BEST = Row("(10, random, 1-d/1000)", 108, 102, 116, 5)
ELEVATOR_RANDOM = Row("random order", 2399, 1062, 3833, 787)
ELEVATOR_BEST = Row("(50, random, 1-d/100)", 270, 255, 293, 12)
CLOCK_RANDOM = Row("random order", 192, 12, 380, 111)
CLOCK_BEST = Row("(5, fixed, 1-d/20)", 37, 15, 93, 22, 91)
LIST_RANDOM = Row("random order", 186, 15, 234, 70)
LIST_BEST = Row("(10, luby, 0.99)", 58, 50, 71, 7, 59)
PRODUCER_RANDOM = Row("random order", 48, 25, 73, 13)
PRODUCER_BEST = Row("(10, fixed, 1-d/100)", 57, 23, 157, 41)
RAX_SWITCH = exact("thread interleavings", 104)
RAX_BEST = Row("(5, luby, 0.9)", 8, 8, 9, 0, 59)
WORKERS_BOUND = exact("context bound 10", 6585)
WORKERS_BEST = Row("(50, fixed, 0.9)", 148, 95, 278, 55)

# The configurations with the best average performance: default order, the best other technique, the best configuration, and the best
# of those with which at least half of the runs find the error, where it is better.
TABLE_2 = {
    "Daisy file system": [exact("default order", 282), DAISY_SWITCH, DAISY_BEST, Row("(5, fixed, 0.75)", 51, 22, 88, 19, 56)],
    "Elevator": [exact("default order", 143373), ELEVATOR_RANDOM, ELEVATOR_BEST],
    "Alarm Clock": [exact("default order", 188), CLOCK_RANDOM, Row("(10, luby, 1-d/1000)", 44, 20, 165, 41), CLOCK_BEST],
    "Linked List": [exact("default order", 328), LIST_RANDOM, Row("(10, fixed, 1-d/50)", 112, 51, 215, 59), LIST_BEST],
    "Producer Consumer": [exact("default order", 9299), PRODUCER_RANDOM, PRODUCER_BEST],
    "RAX Extended": [exact("default order", 1617), RAX_SWITCH, Row("(10, luby, 0.99)", 97, 86, 113, 8), RAX_BEST],
    "Replicated Workers": [exact("default order", 9881), WORKERS_BOUND, WORKERS_BEST],
}

# The extremes: the configuration of the run with the fewest states, that of the run with the most, and the one that finds least.
TABLE_3 = {
    "Daisy file system": [Row("(5, fixed, 0.9)", 135, 19, 467, 165, 67), exact("(20, fixed, 0.5)", 282),
                          Row("(5, random, 1-d/20)", found=0)],
    "Elevator": [Row("(50, fixed, 0.99)", 358, 253, 424, 49), Row("(100, fixed, 1-d/50)", 2263, 2227, 2338, 38),
                 Row("(5, fixed, 0.5)", found=0)],
    "Alarm Clock": [Row("(5, fixed, 0.5)", 85, 13, 251, 74), Row("(5, fixed, 0.9)", 94, 13, 447, 120),
                    Row("(5, random, 1-d/100)", 57, 19, 112, 30, 19)],
    "Linked List": [Row("(5, fixed, 1-d/50)", 74, 38, 133, 27, 56), Row("(20, fixed, 0.9)", 235, 170, 408, 66),
                    Row("(5, luby, 0.5)", found=0)],
    "Producer Consumer": [Row("(10, fixed, 1-d/50)", 196, 18, 1251, 355), exact("(50, fixed, 0.5)", 9299),
                          Row("(5, luby, 1-d/1000)", 242, 242, 242, 0, 1)],
    "RAX Extended": [Row("(5, fixed, 0.5)", 60, 8, 313, 88, 67), exact("(50, fixed, 0.5)", 1617),
                     Row("(5, random, 1-d/50)", 10, 8, 15, 2, 26)],
    "Replicated Workers": [Row("(50, fixed, 0.5)", 339, 71, 1282, 385), Row("(50, luby, 1-d/20)", 6258, 139, 19190, 5673),
                           Row("(5, random, 0.5)", found=0)],
}

# The best other technique, the best configuration, and the best of the kind (H, random, 0.9).
TABLE_4 = {
    "Daisy file system": [DAISY_SWITCH, DAISY_BEST, Row("(10, random, 0.9)", 110, 103, 119, 5.4)],
    "Elevator": [ELEVATOR_RANDOM, ELEVATOR_BEST, Row("(50, random, 0.9)", 290, 261, 312, 15)],
    "Alarm Clock": [CLOCK_RANDOM, CLOCK_BEST, Row("(10, random, 0.9)", 90, 23, 220, 64)],
    "Linked List": [LIST_RANDOM, LIST_BEST, Row("(20, random, 0.9)", 197, 171, 266, 29)],
    "Producer Consumer": [PRODUCER_RANDOM, PRODUCER_BEST, Row("(10, random, 0.9)", 189, 22, 435, 133)],
    "RAX Extended": [RAX_SWITCH, RAX_BEST, Row("(10, random, 0.9)", 100, 79, 119, 11)],
    "Replicated Workers": [WORKERS_BOUND, WORKERS_BEST, Row("(100, random, 0.9)", 522, 263, 905, 203)],
}

# (H, random, 0.9) for each threshold H.
TABLE_5 = {
    "Daisy file system": {5: Threshold(30, 6, 0, 1), 10: Threshold(110, 7, 0, 100), 20: Threshold(282, 7, 0, 100),
                          50: Threshold(282, 7, 0, 100), 100: Threshold(282, 7, 0, 100)},
    "Elevator": {5: Threshold(), 10: Threshold(), 20: Threshold(), 50: Threshold(290, 45, 0, 100),
                 100: Threshold(2185, 45, 0, 100)},
    "Alarm Clock": {5: Threshold(59, 13, 1.7, None), 10: Threshold(90, 13, 4.5, 100), 20: Threshold(188, 13, 0, 100),
                    50: Threshold(188, 13, 0, 100), 100: Threshold(188, 13, 0, 100)},
    "Linked List": {5: Threshold(), 10: Threshold(75, 12, 1, 40), 20: Threshold(197, 19, 1.4, 100),
                    50: Threshold(276, 48, 0, 100), 100: Threshold(328, 48, 0, 100)},
    "Producer Consumer": {5: Threshold(127, 29, 6.4, 10.3), 10: Threshold(189, 19, 3.6, 100), 20: Threshold(204, 25, 0, 100),
                          50: Threshold(9299, 23, 0, 100), 100: Threshold(9299, 23, 0, 100)},
    "RAX Extended": {5: Threshold(12, 6, 0, 35.7), 10: Threshold(100, 6, 0, 100), 20: Threshold(441, 20, 1, 100),
                     50: Threshold(1617, 38, 0, 100), 100: Threshold(1617, 38, 0, 100)},
    "Replicated Workers": {5: Threshold(), 10: Threshold(), 20: Threshold(), 50: Threshold(1774, 62, 3.2, 100),
                           100: Threshold(522, 106, 6.2, 100)},
}
