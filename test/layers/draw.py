#!/usr/bin/env python3
"""Draws docs/images/rooms.svg from cmake/rooms.txt.

    draw.py [ROOT]

A box is a room, an arrow an include that the table allows. All arrows point
down. Arrows that follow from others are left out (layers.reduced_edges): all
of them together hide each other. The place of each box is found by a search
that has no random choices, so the same table gives the same drawing.
"""
import pathlib
import sys

import layers

# The columns of the drawing that a group of rooms uses at least, from the left.
BANDS = {"tools": 3, "frontend": 3, "ptx": 2, "analysis": 2, "transforms": 3}
CELL_WIDTH, CELL_HEIGHT, BOX_WIDTH, BOX_HEIGHT = 98, 66, 86, 34
GAP, MARGIN, HEADING, LEGEND = 12, 12, 30, 56
STYLE = """
text { font: 13px Helvetica, Arial, sans-serif; fill: #1b1f24; text-anchor: middle }
.heading { font-size: 15px; font-weight: bold }
.note { text-anchor: start }
.outer { font-size: 11px }
.page { fill: #ffffff } .band { fill: #f1f3f5 }
.support { fill: #d5ecd7; stroke: #3f8a48 } .ir { fill: #d6e4f7; stroke: #3a6ea8 }
.edge { stroke: #57606a; stroke-width: 1.2 } .head { fill: #57606a }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 } .page { fill: #0d1117 } .band { fill: #1c2229 }
.support { fill: #1d4425; stroke: #5fae69 } .ir { fill: #1d3a5f; stroke: #6ea3dd }
.edge { stroke: #9aa4af } .head { fill: #9aa4af }
}"""


def group_of(folder):
    top = folder.split("/")[0]
    return "transforms" if top == "plugin" else top


def label(folder, x, y):
    """The name in a box, without the group that stands above it; a folder in a folder in two lines."""
    outer, _, name = folder.removeprefix(group_of(folder) + "/").rpartition("/")
    if not outer:
        return f'<text x="{x:g}" y="{y + 22:g}">{name}</text>'
    return (f'<text class="outer" x="{x:g}" y="{y + 13:g}">{outer}/</text>'
            f'<text x="{x:g}" y="{y + 27:g}">{name}</text>')


class Layout:
    """The cell of each room, and how good the drawing is."""

    def __init__(self, rooms, edges, bands):
        self.edges, self.first, self.left, column = edges, {}, [], 0
        for index, (name, width) in enumerate(bands.items()):
            self.first[name] = column
            self.left += [MARGIN + GAP * index + CELL_WIDTH * (column + i) for i in range(width)]
            column += width
        self.width = bands
        self.cell, self.ends = {}, {folder: [] for folder in rooms}
        for room in rooms.values():
            row = max((self.cell[other][1] + 1 for other in room.allowed), default=0)
            self.cell[room.folder] = next(
                c for c in self.cells(group_of(room.folder), row, row + 99)
                if c not in self.cell.values())
        self.rows = max(row for _, row in self.cell.values()) + 1
        for edge in edges:
            for end in edge:
                self.ends[end].append(edge)
        self.lines = {edge: self.line(edge) for edge in edges}

    def cells(self, group, low, high):
        return ((self.first[group] + i, row) for row in range(low, high)
                for i in range(self.width[group]))

    def corner(self, folder):
        column, row = self.cell[folder]
        return (self.left[column] + (CELL_WIDTH - BOX_WIDTH) / 2,
                HEADING + MARGIN + (self.rows - 1 - row) * CELL_HEIGHT)

    def line(self, edge):
        (x1, y1), (x2, y2) = map(self.corner, edge)
        return x1 + BOX_WIDTH / 2, y1 + BOX_HEIGHT, x2 + BOX_WIDTH / 2, y2

    def hits(self, line, folder):
        """Whether the line passes through the box or close to it."""
        x, y = self.corner(folder)
        x1, y1, x2, y2 = line
        for part in range(0, 5):
            at = y + BOX_HEIGHT * part / 4
            if y1 < at < y2 and abs(x1 + (x2 - x1) * (at - y1) / (y2 - y1) -
                                    x - BOX_WIDTH / 2) < BOX_WIDTH / 2 + 5:
                return True
        return False

    def crowded_groups(self):
        """The groups with a box that an arrow passes through."""
        return {group_of(folder) for folder in self.cell for edge in self.edges
                if folder not in edge and self.hits(self.lines[edge], folder)}

    @staticmethod
    def cross(a, b):
        def side(p, q, r):
            return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])
        p, q, r, s = a[:2], a[2:], b[:2], b[2:]
        return side(p, q, r) * side(p, q, s) < 0 and side(r, s, p) * side(r, s, q) < 0

    def cost_of(self, edge):
        line = self.lines[edge]
        return (abs(line[2] - line[0]) / CELL_WIDTH + (line[3] - line[1]) / CELL_HEIGHT +
                sum(40 for folder in self.cell if folder not in edge and self.hits(line, folder)) +
                sum(4 for other in self.edges if self.cross(line, self.lines[other])))

    def cost(self):
        return sum(map(self.cost_of, self.edges))

    def move(self, folder, cell):
        self.cell[folder] = cell
        for edge in self.ends[folder]:
            self.lines[edge] = self.line(edge)

    def points_down(self, folder):
        return all(self.cell[a][1] > self.cell[b][1] for a, b in self.ends[folder])

    def improve(self):
        """Moves and swaps rooms while a drawing becomes better."""
        best, changed = self.cost(), True
        while changed:
            changed = False
            for folder in self.cell:
                for cell in list(self.cells(group_of(folder), 0, self.rows)):
                    old = self.cell[folder]
                    other = next((f for f in self.cell if self.cell[f] == cell), None)
                    self.move(folder, cell)
                    if other:
                        self.move(other, old)
                    if self.points_down(folder) and (not other or self.points_down(other)):
                        now = self.cost()
                        if now < best - 1e-6:
                            best, changed = now, True
                            continue
                    self.move(folder, old)
                    if other:
                        self.move(other, cell)


def port(edge, layout, end):
    """Where the arrow leaves or enters a box: side by side, without crossing."""
    def slope(edge):
        x1, y1, x2, y2 = layout.line(edge)
        return (x2 - x1) / (y2 - y1) * (1 - 2 * end)

    here = edge[end]
    arrows = sorted((e for e in layout.edges if e[end] == here), key=lambda e: (slope(e), e))
    step = min(18, (BOX_WIDTH - 16) / len(arrows))
    x, y = layout.corner(here)
    return (x + BOX_WIDTH / 2 + (arrows.index(edge) - (len(arrows) - 1) / 2) * step,
            y + BOX_HEIGHT * (1 - end))


def draw(rooms):
    edges = layers.reduced_edges(rooms)
    bands = dict(BANDS)
    for _ in range(3):
        layout = Layout(rooms, sorted(edges), bands)
        layout.improve()
        crowded = layout.crowded_groups()
        if not crowded:
            break
        bands = {name: width + (name in crowded) for name, width in bands.items()}
    bands = layout.width
    total = sum(len(room.allowed) for room in rooms.values())
    width = layout.left[-1] + CELL_WIDTH + MARGIN
    bottom = HEADING + MARGIN + layout.rows * CELL_HEIGHT
    title = "The rooms of the sources and what they may include"
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {bottom + LEGEND}" '
           f'width="{width}" height="{bottom + LEGEND}" role="img" aria-label="{title}">',
           f"<title>{title}</title>",
           "<!-- Made by test/layers/draw.py from cmake/rooms.txt -->",
           f"<style>{STYLE}\n</style>",
           '<defs><marker id="a" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" '
           'markerHeight="7" orient="auto"><path class="head" d="M0 0 10 5 0 10z"/></marker></defs>',
           f'<rect class="page" width="{width}" height="{bottom + LEGEND}"/>']
    for name, columns in bands.items():
        x = layout.left[layout.first[name]]
        out += [f'<rect class="band" x="{x}" y="{MARGIN - 6}" width="{columns * CELL_WIDTH}" '
                f'height="{bottom - MARGIN}" rx="6"/>',
                f'<text class="heading" x="{x + columns * CELL_WIDTH / 2:g}" y="{MARGIN + 14}">'
                f"{name}</text>"]
    for edge in layout.edges:
        (x1, y1), (x2, y2) = port(edge, layout, 0), port(edge, layout, 1)
        out.append(f'<line class="edge" data-edge="{edge[0]} {edge[1]}" x1="{x1:g}" y1="{y1:g}" '
                   f'x2="{x2:g}" y2="{y2:g}" marker-end="url(#a)"/>')
    for folder, room in rooms.items():
        x, y = layout.corner(folder)
        out += [f'<g data-room="{folder}"><rect class="{room.llvm}" x="{x:g}" y="{y:g}" '
                f'width="{BOX_WIDTH}" height="{BOX_HEIGHT}" rx="4"/>',
                label(folder, x + BOX_WIDTH / 2, y) + "</g>"]
    y, second = bottom + 10, MARGIN + 300
    out += [f'<rect class="support" x="{MARGIN}" y="{y}" width="22" height="14" rx="3"/>',
            f'<text class="note" x="{MARGIN + 28}" y="{y + 12}">knows LLVM\'s ADT and Support '
            "only</text>",
            f'<rect class="ir" x="{second}" y="{y}" width="22" height="14" rx="3"/>',
            f'<text class="note" x="{second + 28}" y="{y + 12}">knows LLVM IR</text>',
            f'<text class="note" x="{MARGIN}" y="{y + 34}">Arrow: may include. '
            f"{len(edges)} of {total} are drawn; the others lead where a chain of arrows "
            "leads.</text>",
            "</svg>", ""]
    return "\n".join(out)


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    rooms, errors = layers.read_rooms(root)
    if errors:
        sys.exit("\n".join(errors))
    (root / "docs/images/rooms.svg").write_text(draw(rooms))


if __name__ == "__main__":
    main()
