"""mutations.jsonl: the list of mutations, one a line.

  id                     a name: SUBJECT/WHAT
  kind                   "wrong": the mutant makes wrong forms or wrong code;
                         "lost": a rule is missing, code gets more expensive
  file, function,        where it is: see anchors.py
  before, from, behind
  to                     what stands in the place of `from`: an expression for
                         an expression; statements for statements (`from` ends
                         in `;` or `}`)
  breaks                 what is broken, in words
  noticed_by             the test that notices it, tried first
  harmless               for a mutant that no test can notice: why that is so

A new mutation needs id, kind, file, from, to and breaks; `run.py --update` adds
function and, where they are needed, before and behind.
"""
import json
import sys
from pathlib import Path

from tokens import CLOSE, OPEN, Code

ROOT = Path(__file__).resolve().parents[2]
LIST = Path(__file__).resolve().with_name("mutations.jsonl")
NEEDED = ["id", "kind", "file", "from", "to", "breaks"]
FIELDS = ["id", "kind", "file", "function", "before", "from", "behind", "to", "breaks", "noticed_by", "harmless"]


def fail(message):
    print(f"run.py: {message}", file=sys.stderr)
    sys.exit(2)


def read():
    mutations, ids = [], set()
    for number, line in enumerate(LIST.read_text().splitlines(), 1):
        where = f"{LIST.name}:{number}"
        try:
            m = json.loads(line)
        except ValueError as error:
            fail(f"{where}: not JSON ({error})")
        if wrong := [f for f in NEEDED if f not in m] + [f for f in m if f not in FIELDS]:
            fail(f"{where}: missing or unknown fields: {', '.join(wrong)}")
        if m["kind"] not in ("wrong", "lost"):
            fail(f"{where}: kind is \"wrong\" or \"lost\", not \"{m['kind']}\"")
        if m["id"] in ids:
            fail(f"{where}: {m['id']} is taken; choose another id")
        if not is_whole(m):
            fail(f"{where}: `from` and `to` have to be one whole expression each, or whole statements")
        ids.add(m["id"])
        m["number"] = number
        mutations.append(m)
    return mutations


def write(mutations):
    LIST.write_text("".join(json.dumps({f: m[f] for f in FIELDS if f in m}) + "\n" for m in mutations))


def is_statement(text):
    """`from` or `to` is statements, no expression."""
    words = Code(text).words
    return not words or words[-1] in (";", "}")


def is_whole(m):
    """Half an expression, or two, would compile to something else."""
    depth = 0
    for word in Code(m["from"]).words:
        depth += (word in OPEN) - (word in CLOSE)
        if depth < 0 or (word == "," and depth == 0 and not is_statement(m["from"])):
            return False
    return depth == 0 and is_statement(m["to"]) == is_statement(m["from"])
