"""Where a mutation stands: it quotes the code that it replaces, and finds it
again when files have moved and names have changed.

A mutation says `file`, a name without folder and suffix, `function`, if it is
in one, and the code: `from`, with what stands right in front (`before`) and
right behind (`behind`) if `from` alone stands in several places. Code is
compared as tokens, so formatting and comments do not matter. The place is the
only one that has this code

  1. in the function, in a file of that name,
  2. in a file of that name,
  3. in a function of that name, in any file,
  4. in a function of that name in any class,
  5. in all sources, if it is not short,

spelled as in the list; failing that, the only one of 1 to 3 up to renaming: each
name may stand for another one, always the same, different names for different ones.
The replacement `to` is renamed alike. update() makes sure that the code in the
list stands for one place of its files even with all names changed.
"""
import collections
import functools
import itertools
import os
from pathlib import Path

from tokens import Code, renamed

# So many tokens are quoted before the function of a mutation is left.
ENOUGH = 40
# So many tokens are enough to know code without its function and file.
TELLING = 8
# What has no sources to mutate; folders that begin with a dot or `build` too.
SKIPPED = {"bench", "cuda_samples", "docs", "scripts", "test"}


class Misfit(Exception):
    """A mutation that has no place."""


class Place(collections.namedtuple("Place", "path first last names")):
    """Tokens of a file, and what each name of the list is there."""

    def is_renamed(self):
        return any(a != b for a, b in self.names.items())


class Sources:
    """All C++ files below a folder. They are read when they are needed."""

    def __init__(self, root):
        self.root = Path(root)
        self.paths, self.stems, self.codes = [], collections.defaultdict(list), {}
        for folder, folders, files in os.walk(self.root):
            folders[:] = sorted(f for f in folders if f not in SKIPPED and not f.startswith((".", "build")))
            self.paths += [Path(folder, f).relative_to(self.root) for f in sorted(files) if f.endswith((".cpp", ".h"))]
        for path in self.paths:
            self.stems[path.stem].append(path)

    def code(self, path):
        if path not in self.codes:
            self.codes[path] = Code((self.root / path).read_text())
        return self.codes[path]

    def files(self, stem):
        """(path, first token, last token) of each file of that name."""
        return self.whole(self.stems.get(stem, []))

    def whole(self, paths=None):
        return [(p, 0, len(self.code(p).tokens)) for p in (self.paths if paths is None else paths)]

    def functions(self, name, paths=None):
        """The same for each function of that name; overloads share one."""
        for path in self.paths if paths is None else paths:
            yield from ((path, first, last) for n, first, last in self.code(path).functions if n == name)

    def methods(self, name):
        """The same for each function of that name in any class, or in none."""
        method = (name or "").rpartition("::")[2]
        for path in self.paths if method else []:
            yield from ((path, first, last) for n, first, last in self.code(path).functions if n.rpartition("::")[2] == method)

    def function_at(self, place):
        """(path, name, first token, last token) around a place."""
        for name, first, last in self.code(place.path).functions:
            if first <= place.first < last:
                return place.path, name, first, last
        return place.path, None, place.first, place.last

    def line(self, path, index):
        return f"{path}:{self.code(path).line_of(index)}"

    @functools.cached_property
    def names(self):
        return set().union(*(self.code(path).names for path in self.paths))


# 1. Finding.


def quoted(m):
    """The quoted code, and where in it `from` begins and ends."""
    return quote(m.get("before", ""), m["from"], m.get("behind", ""))


@functools.lru_cache(maxsize=None)
def quote(before, code, behind):
    low = len(Code(before).tokens)
    return Code(f"{before} {code} {behind}"), low, low + len(Code(code).tokens)


def places_in(m, sources, regions):
    code, low, high = quoted(m)
    found = {}
    for path, first, last in regions:
        for index, names in sources.code(path).find(code, first, last):
            found[path, index] = Place(path, index + low, index + high, names)
    return list(found.values())


def in_function(m, sources):
    paths = [path for path, _, _ in sources.files(m["file"])]
    return places_in(m, sources, sources.functions(m.get("function"), paths))


def in_file(m, sources):
    return places_in(m, sources, sources.files(m["file"]))


def in_function_anywhere(m, sources):
    return places_in(m, sources, sources.functions(m.get("function")))


def in_method_anywhere(m, sources):
    return places_in(m, sources, sources.methods(m.get("function")))


def anywhere(m, sources):
    if len(quoted(m)[0].tokens) < TELLING:
        return []
    return places_in(m, sources, sources.whole())


def as_spelled(places):
    return [p for p in places if not p.is_renamed()]


def find(m, sources):
    """The place of a mutation; raises Misfit."""
    stages = [in_function, in_file, in_function_anywhere]
    found = {}
    for accept, wheres in (as_spelled, stages + [in_method_anywhere, anywhere]), (list, stages):
        for where in wheres:
            if where not in found:
                found[where] = where(m, sources)
            places = accept(found[where])
            if len(places) == 1:
                return places[0]
    raise Misfit(explain(m, sources, next(filter(None, map(found.get, stages)), [])))


def explain(m, sources, candidates):
    """What is wrong, where, and what to do about it."""
    if candidates:
        lines = [sources.line(p.path, p.first) for p in candidates[:5]] + ["..."] * (len(candidates) > 5)
        return (
            f"`{m['from']}` stands in {len(candidates)} places ({', '.join(lines)}); quote more of the code around "
            "the right one in `before` or `behind`"
        )
    functions = list(sources.functions(m.get("function")))
    homes = functions or sources.files(m["file"])
    if not homes:
        function = f", and no function {m['function']}" if "function" in m else ""
        return f"there is no {m['file']}.cpp or .h{function}; write the new name into `file`, then run run.py --update"
    where = (f"{m['function']} in " if functions else "") + sources.line(*homes[0][:2])
    return (
        f"{where} has no `{quoted(m)[0].text.strip()}`; quote the code that does this today, or drop the mutation "
        "if nothing does"
    )


# 2. What stands in its place.


def replacements(found, sources):
    """The `to` of each mutation in the names of today; `found` are pairs of a
    mutation and its place. A name that is not in the quoted code is called
    what other mutations of the same function call it or, if it is nowhere in
    the sources, what others call it."""
    in_function, anywhere = collections.defaultdict(set), collections.defaultdict(set)
    for _, place in found:
        for old, new in place.names.items():
            in_function[sources.function_at(place), old].add(new)
            anywhere[old].add(new)
    result = []
    for m, place in found:
        names = dict(place.names)
        path, _, first, last = function = sources.function_at(place)
        known = {t.text for t in sources.code(path).tokens[first:last]}
        for name in Code(m["to"]).names - names.keys() - known:
            others = in_function[function, name]
            if not others and name not in sources.names:
                others = anywhere[name]
            if len(others) == 1:
                names[name] = min(others)
        result.append(renamed(m["to"], names))
    return result


# 3. The list in the spelling of today.


def update(found, sources):
    """The mutations as they should be quoted, from pairs of each and its place."""
    return [updated(m, place, to, sources) for (m, place), to in zip(found, replacements(found, sources))]


def updated(m, place, to, sources):
    code = sources.code(place.path)
    before, behind = around(m, place, sources)
    today = {
        "file": place.path.stem,
        "function": sources.function_at(place)[1],
        "before": code.excerpt(place.first - before, place.first),
        "from": code.excerpt(place.first, place.last),
        "behind": code.excerpt(place.last, place.last + behind),
    }
    for field in ("before", "from", "behind"):  # only another word is a change
        if Code(m.get(field, "")).words == Code(today[field]).words:
            today[field] = m.get(field)
    result = {**m, **today, "to": to}
    return {k: v for k, v in result.items() if v or k == "to"}


def around(m, place, sources):
    """How many tokens to quote in front of and behind the place: as many as
    now if they are enough, else as few as possible."""
    whole, low, high = quoted(m)
    code, files = sources.code(place.path), sources.files(place.path.stem)
    _, _, first, last = sources.function_at(place)
    inside = ((a, b) for a, b in extents(ENOUGH) if first <= place.first - a and place.last + b <= last)
    now = low, len(whole.tokens) - high
    for before, behind in itertools.chain([now], inside, extents(len(code.tokens))):
        wanted = code.part(max(place.first - before, 0), place.last + behind)
        if sum(1 for file in files for _ in sources.code(file[0]).find(wanted, *file[1:])) == 1:
            return before, behind


def extents(most):
    return ((before, count - before) for count in range(most) for before in range(count, -1, -1))
