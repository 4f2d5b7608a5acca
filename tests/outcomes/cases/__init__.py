"""The programs of the folder above as models, under the same names, a file for each header: what each
thread does, with the primitives of specifications.py. A model makes a fresh world: the list of its
results, then its threads.
"""

from case import CASES

from . import synchronisers, locks, conditions, futures, stop, atomics, posix, descriptors
