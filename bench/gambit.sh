#!/usr/bin/env bash
# Time to find seeded bugs, for each order of the search: see gambit.py.
exec python3 "$(dirname "$0")/gambit.py" "$@"
