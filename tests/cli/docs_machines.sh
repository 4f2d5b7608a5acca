# What docs/machines.md shows is what happens: see tests/snippets.py.
exec python3 "$HEDDLE_SOURCE_DIR/tests/snippets.py" docs/machines.md
