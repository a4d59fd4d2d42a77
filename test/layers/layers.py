#!/usr/bin/env python3
"""Checks every include of the sources against the table of rooms.

    layers.py [ROOT]

A room may include itself, the rooms that cmake/rooms.txt names for it, and of
LLVM what the table says. A folder of more than 40 sources is an error, and so
is a folder that the table does not name, or a room that comes after one that
includes it. docs/images/rooms.svg shows the same rooms and edges, and
docs/ARCHITECTURE.md has a row for each room. Each error names a file and a
line.
"""
import pathlib
import re
import sys

MAX_SOURCES = 40
INCLUDE = re.compile(r'\s*#\s*include\s*["<]([^">]+)[">]')
SUPPORT = ("llvm/ADT/", "llvm/Support/")
TABLE = "cmake/rooms.txt"


class Room:
    def __init__(self, folder, llvm, allowed, line):
        self.folder, self.llvm, self.allowed = folder, llvm, allowed
        self.line = line
        self.used = set()


def read_rooms(root):
    """The rooms by folder, and what is wrong with the table itself."""
    rooms, errors = {}, []
    for number, line in enumerate((root / TABLE).read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        at = f"{TABLE}:{number}:"
        folder, *rest = line.split()
        if len(rest) < 2 or rest[1] not in ("support", "ir"):
            errors.append(f"{at} {folder} needs a library, then `support` or `ir`")
            continue
        if folder in rooms:
            errors.append(f"{at} {folder} is already in line {rooms[folder].line}")
            continue
        _, llvm, *allowed = rest
        for other in allowed:
            if other not in rooms:
                errors.append(f"{at} {folder} may include {other}, which does not come before it: "
                              "a circle, or a misspelled folder")
        rooms[folder] = Room(folder, llvm, allowed, number)
    return rooms, errors


def check_include(rooms, room, name):
    """Why \\p room may not include \\p name, or None."""
    if name.startswith(("llvm/", "llvm-c/")):
        if room.llvm == "ir" or name.startswith(SUPPORT):
            return None
        return (f"{room.folder} knows LLVM's ADT and Support only. Move what needs the IR to a "
                "room that knows it")
    folder = name.rpartition("/")[0]
    if folder.startswith("."):
        return "a header of another folder is named from the root of the project"
    if folder == room.folder:
        return None
    if folder not in rooms:
        # A header of the system, or one beside the file.
        return None if not folder or not name.startswith(
            ("analysis/", "transforms/", "frontend/", "ptx/", "plugin/", "tools/", "test/")) else (
                f"{folder} is not in {TABLE}")
    if folder not in room.allowed:
        return (f"{room.folder} may include {' '.join(room.allowed) or 'no other room'}. Move the "
                f"code, or add the edge to {TABLE} if it points down")
    room.used.add(folder)
    return None


def check_sources(root, rooms):
    errors, counts = [], {}
    for top in ("analysis", "transforms", "frontend", "ptx", "plugin", "tools"):
        for path in sorted((root / top).rglob("*")):
            if path.suffix not in (".h", ".cpp", ".def"):
                continue
            relative = path.relative_to(root)
            folder = relative.parent.as_posix()
            counts[folder] = counts.get(folder, 0) + 1
            if folder not in rooms:
                errors.append(f"{relative}:1: {folder} is no room of {TABLE}; add it, or move the "
                              "file")
                continue
            for number, line in enumerate(path.read_text().splitlines(), 1):
                if include := INCLUDE.match(line):
                    if why := check_include(rooms, rooms[folder], include[1]):
                        errors.append(f"{relative}:{number}: includes {include[1]}, but {why}")
    for room in rooms.values():
        at, count = f"{TABLE}:{room.line}: {room.folder}", counts.get(room.folder, 0)
        if count > MAX_SOURCES:
            errors.append(f"{at} has {count} sources, more than {MAX_SOURCES}; make rooms of it")
        if count == 0:
            errors.append(f"{at} has no sources; take it out")
        for other in room.allowed:
            if other not in room.used:
                errors.append(f"{at} no longer includes {other}; take the edge out")
    return errors, counts


def reduced_edges(rooms):
    """The edges that do not follow from others: a -> c goes when a -> b -> c is there."""
    def below(folder, seen):
        for other in rooms[folder].allowed:
            if other not in seen:
                seen.add(other)
                below(other, seen)
        return seen
    return {(room.folder, other) for room in rooms.values() for other in room.allowed
            if not any(other in below(middle, set()) for middle in room.allowed)}


def check_drawing(root, rooms):
    """The drawing has a box for each room and an arrow for each reduced edge."""
    drawing = root / "docs/images/rooms.svg"
    name, how = drawing.relative_to(root), "run test/layers/draw.py"
    if not drawing.is_file():
        return [f"{name}:1: is missing; {how}"]
    text = drawing.read_text()

    def find(pattern):
        """What the drawing shows, with the line of each."""
        return {match[1]: text.count("\n", 0, match.start()) + 1
                for match in re.finditer(pattern, text)}

    shown, arrows = find(r'data-room="([^"]+)"'), find(r'data-edge="([^"]+)"')
    edges = {" ".join(edge) for edge in reduced_edges(rooms)}
    errors = ([f"{name}:1: the room {folder} is missing; {how}"
               for folder in rooms.keys() - shown.keys()] +
              [f"{name}:{shown[folder]}: {folder} is no room; {how}"
               for folder in shown.keys() - rooms.keys()] +
              [f"{name}:1: the arrow {edge} is missing; {how}" for edge in edges - arrows.keys()] +
              [f"{name}:{arrows[edge]}: the arrow {edge} is not in the table, or follows from "
               f"others; {how}" for edge in arrows.keys() - edges])
    count = f"{len(edges)} of {sum(len(room.allowed) for room in rooms.values())} are drawn"
    if not errors and count not in text:
        errors = [f"{name}:1: the note has to say that {count}; {how}"]
    return errors


def check_guide(root, rooms):
    """docs/ARCHITECTURE.md says what each room is for."""
    guide = "docs/ARCHITECTURE.md"
    text = (root / guide).read_text()
    line = text.count("\n", 0, text.find("| room |")) + 1
    return [f"{guide}:{line}: `{folder}` is missing; write a row: | `{folder}` | WHAT IS THERE | "
            "WHAT TO ADD THERE |" for folder in rooms if f"`{folder}`" not in text]


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    rooms, errors = read_rooms(root)
    counts = {}
    if not errors:
        errors, counts = check_sources(root, rooms)
    if not errors:
        errors = check_drawing(root, rooms) + check_guide(root, rooms)
    for error in sorted(errors):
        print(error, file=sys.stderr)
    if errors:
        print(f"layers: {len(errors)} errors", file=sys.stderr)
        return 1
    edges = sum(len(room.allowed) for room in rooms.values())
    print(f"{sum(counts.values())} sources in {len(rooms)} rooms, {edges} edges between them, "
          "all as the table says")
    return 0


if __name__ == "__main__":
    sys.exit(main())
