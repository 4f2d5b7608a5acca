#!/usr/bin/env bash
# What the detectors cost: see detectors.py.
exec python3 "$(dirname "$0")/detectors.py"
