#!/usr/bin/env bash
# This build beside another one, in interleaved rounds: see compare.py.
exec python3 "$(dirname "$0")/compare.py" "$@"
