#!/usr/bin/env bash
# Randomised backtracking after its paper: see backtracking.py.
exec python3 "$(dirname "$0")/backtracking.py" "$@"
