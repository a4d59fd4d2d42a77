#!/usr/bin/env python3
"""links.py ROOT: every relative link of the manual leads to a file of the
repository, and its anchor to a heading of it."""

import pathlib
import re
import sys


def anchor_of(heading):
    """As GitHub makes it of the text of a heading."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def without_code(text):
    return re.sub(r"^```.*?^```", "", text, flags=re.S | re.M)


def anchors(text):
    headings = re.findall(r"^#+ (.*)$", without_code(text), flags=re.M)
    return {anchor_of(h) for h in headings} | set(re.findall(r'<a (?:id|name)="([^"]+)"', text))


def broken_links(root, page, text):
    for target in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`\n]*`", "", without_code(text))):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        if not file.exists():
            yield f"{page.relative_to(root)}: there is no {target}"
        elif anchor and file.suffix == ".md" and anchor not in anchors(file.read_text()):
            yield f"{page.relative_to(root)}: {path or page.name} has no heading #{anchor}"


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    folders = ("", "docs", "examples", "python", "cuda_samples", "cuda_samples/*")
    pages = [page for folder in folders for page in sorted(root.glob(f"{folder}/*.md".lstrip("/")))]
    broken = [b for page in pages for b in broken_links(root, page, page.read_text())]
    print("\n".join(broken) if broken else f"links: {len(pages)} pages, all links lead somewhere")
    return 1 if broken or not pages else 0


if __name__ == "__main__":
    sys.exit(main())
