#!/usr/bin/env python3
"""Makes a web site of the documents, with mkdocs: ./dev site.

usage: make.py FOLDER

The site is laid out as the repository is, so that links between the documents lead where they do on a disk; files that
they name are copied. All links are checked, and nothing comes from another server.
"""

import html.parser
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parent.parent
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")
FENCE = re.compile(r"^(```\w*)[^\n`]*$", re.MULTILINE)
FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`[^`]+`")


def documents():
    return sorted(SOURCE.glob("*.md")) + sorted((SOURCE / "docs").glob("*.md"))


class Stage:
    """The documents as mkdocs takes them, in a folder."""

    def __init__(self, folder):
        self.folder = folder
        for document in documents():
            self.add(document)

    def add(self, document):
        parts, at = [], 0
        text = document.read_text()
        for block in FENCED.finditer(text):  # what is inside of one stays as it is
            parts += [self.prose(text[at : block.start()], document), FENCE.sub(r"\1", block[0], count=1)]
            at = block.end()
        parts.append(self.prose(text[at:], document))
        target = self.folder / document.relative_to(SOURCE)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text("".join(parts))

    def prose(self, text, document):
        # GitHub wants | escaped in the code of a table, mkdocs does not.
        lines = [
            CODE.sub(lambda code: code[0].replace("\\|", "|"), line) if line.startswith("|") else line
            for line in text.split("\n")
        ]
        return LINK.sub(lambda link: self.link(link, document), "\n".join(lines))

    def link(self, link, document):
        """The link, with the file that it leads to; folders have no page, and become plain text."""
        path = link[3].partition("#")[0]
        if "://" in link[3] or not path or path.endswith(".md"):
            return link[0]
        target = (document.parent / path).resolve()
        if target.is_dir():
            return link[2]
        if target.is_file():
            copy = self.folder / target.relative_to(SOURCE)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(target, copy)
        return link[0]


def configuration():
    """mkdocs.yml, with the documents that its menus do not name in one of their own."""
    text = (HERE / "mkdocs.yml").read_text()
    names = [str(document.relative_to(SOURCE)) for document in documents()]
    others = [f"      - {name}\n" for name in names if f": {name}\n" not in text]
    return text + ("  - More:\n" + "".join(others) if others else "")


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.names = set()
        self.links = []
        self.resources = []
        self.feed(path.read_text())

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.names.update(attributes[key] for key in ("id", "name") if attributes.get(key))
        if tag == "a" and attributes.get("href"):
            self.links.append(attributes["href"])
        elif tag in ("link", "script", "img", "iframe"):
            self.resources += [attributes[key] for key in ("href", "src") if attributes.get(key)]


def dead_links(site):
    """What leads nowhere; and how many links there are."""
    pages = {path: Page(path) for path in site.rglob("*.html")}
    dead, count = [], 0
    for path, page in pages.items():
        name = path.relative_to(site)
        if name.name == "404.html":  # its links begin at the root of a server
            continue
        dead += [f"{name}: {link} is of another server" for link in page.resources if "//" in link]
        for link in page.links + [link for link in page.resources if "//" not in link]:
            if "://" in link or link.startswith(("mailto:", "javascript:")):
                continue
            count += 1
            file, _, anchor = urllib.parse.unquote(link).partition("#")
            target = (path.parent / file).resolve() if file else path
            if target.is_dir():
                target /= "index.html"
            if not target.exists():
                dead.append(f"{name}: there is no {link}")
            elif anchor and target in pages and anchor not in pages[target].names:
                dead.append(f"{name}: there is no heading for {link}")
    return dead, count


def lost_headings(site):
    """Those of the documents that mkdocs has taken for something else."""
    for document in documents():
        page = document.relative_to(SOURCE).with_suffix(".html")
        page = page.with_name("index.html") if page.stem == "README" else page
        text = FENCED.sub("", document.read_text())
        wanted = re.findall(r"^#+ ", text, re.MULTILINE)
        found = re.findall(r"<h[1-6] id=", (site / page).read_text())
        if len(found) != len(wanted):
            yield f"{document.name}: {len(wanted)} headings, but {len(found)} on the page"


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    site = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory(prefix="heddle-site-") as folder:
        stage = pathlib.Path(folder)
        Stage(stage / "docs")
        (stage / "mkdocs.yml").write_text(configuration())
        environment = dict(os.environ, PYTHONPATH=str(HERE), PYTHONDONTWRITEBYTECODE="1", LC_ALL="C.UTF-8")
        command = ["mkdocs", "build", "--strict", "--quiet", "--config-file", stage / "mkdocs.yml", "--site-dir", site]
        built = subprocess.run(command, env=environment)
        if built.returncode != 0:
            sys.exit("mkdocs build --strict: see above")
    dead, count = dead_links(site)
    dead += lost_headings(site)
    print("\n".join(dead) or f"{count} links, none of them dead")
    sys.exit(1 if dead or count < 100 else 0)


if __name__ == "__main__":
    main()
