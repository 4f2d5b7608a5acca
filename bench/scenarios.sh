#!/usr/bin/env bash
# What a test script saves: see scenarios.py.
exec python3 "$(dirname "$0")/scenarios.py" "$@"
