#!/usr/bin/env bash
# Fair scheduling, after the tables of its paper: see fair.py.
exec python3 "$(dirname "$0")/fair.py" "$@"
