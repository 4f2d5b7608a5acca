#!/usr/bin/env bash
# Guided search after its paper: see guided.py.
exec python3 "$(dirname "$0")/guided.py" "$@"
