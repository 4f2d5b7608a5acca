#!/usr/bin/env bash
# A search over many machines: see machines.py.
exec python3 "$(dirname "$0")/machines.py" "$@"
