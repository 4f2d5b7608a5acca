#!/usr/bin/env bash
# After how many executions strategies find the bugs of small programs: see bugs.py.
exec python3 "$(dirname "$0")/bugs.py" "$@"
