"""Names of headings in links, as GitHub has them: the documents are read there, too."""

import re


def github(text, separator):
    return re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", separator)
