"""How a file of launches describes a kernel: its launch as expressions in B.

A sample has one free number, B (images, batches, rows of blocks): all else follows
from it. An expression is Python without builtins; in `arguments` it is in braces.
Upper-case names are the sample's own: numbers, or texts that are expressions in B and
the names before them, for sizes that do not grow linearly with B.

An argument is `in|out|inout:TYPE:COUNT[:LOW:HIGH]`, `values:TYPE:COUNT:V;V;...`
(they repeat), `steps:TYPE:COUNT:FIRST:STEP` (FIRST, FIRST + STEP, ...),
`struct:TYPE:V;V;...` or `TYPE:VALUE`; E is the type of the elements, float unless the
kernel only moves them.
"""

import dataclasses
import pathlib


@dataclasses.dataclass(frozen=True)
class Sample:
    """A kernel with run-time sizes, and its launch as expressions in B."""
    path: str       # below cuda_samples, without .cu, with :KERNEL if named otherwise
    threads: str    # how many the kernel needs, or the grid: X,Y,Z
    arguments: str
    block: object = 256          # threads, or a tuple: those of each dimension
    moves: bool = False          # whether elements of any type will do
    is_grid: bool = False        # whether `threads` is a grid
    exact: bool = True           # whether the order of the threads does not matter
    moved: str = ""              # elements read and written, if not all of the buffers
    largest: int = 1 << 40       # bytes: with more, a launch takes more than some 5 ms
    title: str = ""              # of its cases, where another kernel has its name
    fixed: dict = dataclasses.field(default_factory=dict)

    @property
    def file(self):
        return f"{self.path.partition(':')[0]}.cu"

    @property
    def kernel(self):
        return self.path.partition(":")[2] or pathlib.Path(self.path).name

    @property
    def name(self):
        return self.title or self.kernel

    @property
    def extents(self):
        block = self.block if isinstance(self.block, tuple) else (self.block,)
        return (*block, 1, 1)[:3]


def real(name, threads, arguments, **more):
    return sample(f"real/{name}", threads, arguments, more)


def loops(name, file, threads, arguments, **more):
    return sample(f"loops/{file}:{name}", threads, arguments, more)


def sample(path, threads, arguments, more):
    fixed = {key: more.pop(key) for key in list(more) if key.isupper()}
    return Sample(path, threads, arguments, fixed=fixed, **more)
