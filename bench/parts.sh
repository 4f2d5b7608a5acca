#!/usr/bin/env bash
# What each part of an execution costs: see parts.py.
exec python3 "$(dirname "$0")/parts.py" "$@"
