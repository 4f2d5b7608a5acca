"""The numbers of the paper: Rungta and Mercer, A Meta Heuristic for Effectively Detecting Concurrency Errors (HVC 2008), tables 1 and 2."""

# Error densities: of random depth-first search, and of the meta heuristic with its three secondary heuristics: distance (the paper's
# PFSM), random, preferred threads.
TABLE_1 = {
    "TwoStage(7,1)": (0.41, 1.00, 1.00, 1.00),
    "TwoStage(8,1)": (0.04, 1.00, 1.00, 1.00),
    "TwoStage(10,1)": (0.00, 1.00, 1.00, 1.00),
    "Reorder(9,1)": (0.06, 1.00, 1.00, 1.00),
    "Reorder(10,1)": (0.00, 1.00, 1.00, 1.00),
    "Wronglock(1,20)": (0.28, 1.00, 1.00, 1.00),
    "AbsList(1,7)": (0.01, 1.00, 0.37, 0.00),
    "AbsList(1,8)": (0.00, 1.00, 0.08, 0.00),
    "Deadlock(1,9)": (0.00, 1.00, 1.00, 1.00),
    "Deadlock(1,10)": (0.00, 1.00, 1.00, 1.00),
    "AryList(1,5)": (0.81, 1.00, 1.00, 1.00),
    "AryList(1,8)": (0.00, 1.00, 1.00, 0.01),
    "AryList(1,9)": (0.00, 1.00, 1.00, 0.00),
    "AryList(1,10)": (0.00, 1.00, 1.00, 0.00),
}

# States until the error, in the trials that found it: least, average, most, for the three secondary heuristics. None: no trial did.
TABLE_2 = {
    "TwoStage(7,1)": ((209, 213, 217), (40851, 130839, 409156), (414187, 2206109, 4813016)),
    "TwoStage(8,1)": ((246, 250, 255), (49682, 217637, 502762), (609085, 4436444, 10025314)),
    "TwoStage(10,1)": ((329, 333, 340), (52794, 314590, 827830), (2635251, 6690008, 8771151)),
    "Wronglock(1,10)": ((804, 3526, 12542), (73, 7082, 22418), (560, 120305, 675987)),
    "Wronglock(1,20)": ((2445, 21391, 175708), (67, 24479, 242418), (1900, 3827020, 15112994)),
    "Reorder(5,1)": ((106, 109, 112), (1803, 5597, 10408), (259, 977, 2402)),
    "Reorder(8,1)": ((193, 197, 202), (17474, 36332, 65733), (523, 3110, 13536)),
    "Reorder(10,1)": ((266, 271, 277), (28748, 67958, 110335), (771, 5136, 16492)),
    "AryList(1,10)": ((1764, 14044, 55241), (3652, 15972, 63206), None),
    "AbsList(1,10)": ((1382, 1382, 1382), (10497302, 10497302, 10497302), None),
}
