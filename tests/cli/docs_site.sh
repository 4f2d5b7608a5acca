# The documents make a web site, without a warning of mkdocs and without a dead link.
python3 "$HEDDLE_SOURCE_DIR/docs/site/make.py" "$PWD/site"
grep -q 'id="bounds"' site/docs/search.html
# Fences with attributes are code, and not text.
! grep -rlE '```|same=examples' site --include='*.html'
