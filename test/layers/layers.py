#!/usr/bin/env python3
"""Checks every include of the sources against the table of rooms.

    layers.py [ROOT]

A room may include itself, the rooms that cmake/rooms.txt names for it, and of
LLVM what the table says. A folder of more than 40 sources is an error, and so
is a folder that the table does not name, or a room that comes after one that
includes it. docs/images/rooms.svg shows the same rooms and edges.
"""
import pathlib
import re
import sys

MAX_SOURCES = 40
INCLUDE = re.compile(r'\s*#\s*include\s*["<]([^">]+)[">]')
SUPPORT = ("llvm/ADT/", "llvm/Support/")


class Room:
    def __init__(self, folder, llvm, allowed):
        self.folder, self.llvm, self.allowed = folder, llvm, allowed
        self.used = set()


def read_rooms(table):
    """The rooms by folder, and what is wrong with the table itself."""
    rooms, errors = {}, []
    for number, line in enumerate(table.read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        folder, _, llvm, *allowed = line.split()
        for other in allowed:
            if other not in rooms:
                errors.append(f"{table}:{number}: {folder} may include {other}, which does "
                              "not come before it: a circle, or a misspelled folder")
        if llvm not in ("support", "ir"):
            errors.append(f"{table}:{number}: '{llvm}' is neither support nor ir")
        rooms[folder] = Room(folder, llvm, allowed)
    return rooms, errors


def check_include(rooms, room, name):
    """Why \\p room may not include \\p name, or None."""
    if name.startswith(("llvm/", "llvm-c/")):
        if room.llvm == "ir" or name.startswith(SUPPORT):
            return None
        return (f"{room.folder} knows LLVM's ADT and Support only. Move what needs the IR to a "
                "room that knows it")
    folder = name.rpartition("/")[0]
    if folder == room.folder:
        return None
    if folder not in rooms:
        # A header of the system, or one beside the file.
        return None if not folder or not name.startswith(
            ("analysis/", "transforms/", "frontend/", "plugin/", "tools/", "test/")) else (
                f"{folder} is not in cmake/rooms.txt")
    if folder not in room.allowed:
        return (f"{room.folder} may include {' '.join(room.allowed) or 'no other room'}. Move the "
                "code, or add the edge to cmake/rooms.txt if it points down")
    room.used.add(folder)
    return None


def check_sources(root, rooms):
    errors, counts = [], {}
    for top in ("analysis", "transforms", "frontend", "plugin", "tools"):
        for path in sorted((root / top).rglob("*")):
            if path.suffix not in (".h", ".cpp", ".def"):
                continue
            relative = path.relative_to(root)
            folder = relative.parent.as_posix()
            counts[folder] = counts.get(folder, 0) + 1
            if folder not in rooms:
                errors.append(f"{relative}:1: {folder} is no room of cmake/rooms.txt; add it, or "
                              "move the file")
                continue
            for number, line in enumerate(path.read_text().splitlines(), 1):
                if include := INCLUDE.match(line):
                    if why := check_include(rooms, rooms[folder], include[1]):
                        errors.append(f"{relative}:{number}: includes {include[1]}, but {why}")
    for folder, count in counts.items():
        if count > MAX_SOURCES:
            errors.append(f"{folder}: {count} sources, more than {MAX_SOURCES}; make rooms of it")
    for room in rooms.values():
        if room.folder not in counts:
            errors.append(f"cmake/rooms.txt: {room.folder} has no sources; take it out")
        for other in room.allowed:
            if other not in room.used:
                errors.append(f"cmake/rooms.txt: {room.folder} no longer includes {other}; take "
                              "the edge out")
    return errors, counts


def check_drawing(root, rooms):
    """The drawing has a box for each room and an arrow for each edge."""
    drawing = root / "docs/images/rooms.svg"
    text = drawing.read_text()
    shown = set(re.findall(r'data-room="([^"]+)"', text))
    arrows = set(re.findall(r'data-edge="([^ "]+) ([^ "]+)"', text))
    edges = {(room.folder, other) for room in rooms.values() for other in room.allowed}
    name = drawing.relative_to(root)
    how = "run test/layers/draw.py"
    return ([f"{name}: {folder} is missing; {how}" for folder in rooms.keys() - shown] +
            [f"{name}: {folder} is no room; {how}" for folder in shown - rooms.keys()] +
            [f"{name}: the arrow {a} -> {b} is missing; {how}" for a, b in edges - arrows] +
            [f"{name}: {a} does not include {b}; {how}" for a, b in arrows - edges])


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    rooms, errors = read_rooms(root / "cmake/rooms.txt")
    more, counts = check_sources(root, rooms)
    errors += more
    if not errors:
        errors += check_drawing(root, rooms)
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
