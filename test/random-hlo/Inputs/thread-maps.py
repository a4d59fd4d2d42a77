"""What is said of thread maps, right and wrong ones."""
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
from thread_maps import coverage_problem, problem_of

for text, dims in (("(t)[v] -> (t floordiv 3, t mod 3), domain: t in [0, 5], v in [0, 0]", (2, 3)),
                   ("(t) -> (t), domain: t in [0, 7], t * 2 in [0, 9]", (5,)),
                   ("(t) -> (t), domain: t in [0, 7]", (5,)),
                   ("(t) -> (t floordiv 2), domain: t in [0, 7]", (4,)),
                   ("(t) -> (t), domain: t in [0, 7]", (9,)),
                   ("(t) -> (1 - t ceildiv 2 mod 3), domain: t in [0, 2], t mod 2 in [0, 0]", (2,)),
                   ("(t) -> (), domain: t in [0, 0]", ()),
                   ("none: it has no elements", (0, 3)), ("none: it has no elements", (3,)),
                   ("unknown: the numbers of the threads leave 64 bits", (3,))):
    print(problem_of(text, dims) or "each once")
print(coverage_problem("ENTRY e {\n ROOT f = (s32[2]{0}, s8[3]) fusion(p), calls=c\n}",
                       "kernel k: loop, 1 blocks of 2 threads\nthread -> root#0 as stored: (t) -> (t), domain: t in [0, 1]\n"))
