"""Links between the documents lead somewhere: the file is there, and so is the heading."""

import os
import pathlib
import re
import sys

SOURCE = pathlib.Path(os.environ["HEDDLE_SOURCE_DIR"])
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def anchors(text):
    """The headings as GitHub names them."""
    for heading in re.findall(r"^#+ (.*)$", FENCED.sub("", text), re.MULTILINE):
        yield re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


documents = sorted(SOURCE.glob("*.md")) + sorted((SOURCE / "docs").glob("*.md"))
failures = []
links = 0
for document in documents:
    text = FENCED.sub("", document.read_text())
    for link in LINK.findall(text):
        if "://" in link:
            continue
        links += 1
        path, _, anchor = link.partition("#")
        target = (document.parent / path).resolve() if path else document
        if not target.exists():
            failures.append(f"{document.name}: there is no {link}")
        elif anchor and anchor not in anchors(target.read_text()):
            failures.append(f"{document.name}: there is no heading for {link}")

print("\n".join(failures) or f"{links} links in {len(documents)} documents")
sys.exit(1 if failures or links < 20 else 0)
