#!/usr/bin/env python3
"""Tests bench/sass_loops.py on SASS as nvdisasm -c prints it."""
import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "bench"))
import sass_loops  # noqa: E402


def listing(lines):
    """A section; lines that end with a colon are labels."""
    text, address = ['\t.section\t.text.k,"ax",@progbits', "k:", ".text.k:"], 0
    for line in lines.strip().splitlines():
        line = line.strip()
        if line.endswith(":"):
            text.append(line)
        else:
            text.append(f"        /*{address:04x}*/                   {line} ;")
            address += 16
    return "\n".join(text + ['\t.section\t.nv.info,"",@"SHT_CUDA_INFO"', "A:"])


def measured(lines):
    return sass_loops.loops_of(listing(lines))["k"]


class SassLoops(unittest.TestCase):
    def test_without_loops(self):
        self.assertEqual(measured("MOV R1, R2\n@P0 BRA `(.L_x_0)\nMOV R1, R3\n"
                                  ".L_x_0:\nEXIT\n.L_x_1:\nBRA `(.L_x_1)\nNOP"),
                         {"loops": 0, "innermost": 0, "weighted": 4})

    def test_nest(self):
        self.assertEqual(measured("MOV R1, R2\n"
                                  ".L_x_0:\nIADD3 R1, R1, 1, RZ\n"
                                  ".L_x_1:\nLDG.E R0, desc[UR6][R2.64]\n"
                                  "FADD R7, R0, R7\n"
                                  "@P1 BRA `(.L_x_1)\n"
                                  "@!P2 BRA `(.L_x_0)\nEXIT"),
                         {"loops": 2, "innermost": 3,
                          "weighted": 1 + 2 * 10 + 3 * 100 + 1})

    def test_two_branches_to_one_header(self):
        self.assertEqual(measured(".L_x_0:\nMOV R1, R2\n@P0 BRA `(.L_x_0)\nMOV R1, R2\n"
                                  "@P1 BRA `(.L_x_0)\nEXIT"),
                         {"loops": 1, "innermost": 4, "weighted": 41})

    def test_uniform_branches_are_conditional(self):
        self.assertEqual(measured(".L_x_0:\nMOV R1, R2\nBRA.U UP0, `(.L_x_0)\nEXIT"),
                         {"loops": 1, "innermost": 2, "weighted": 21})

    def test_branches_of_diverged_warps_may_go_on(self):
        for opcode in ("BRA.DIV", "BRA.CONV"):
            self.assertEqual(measured(f".L_x_0:\n{opcode} ~URZ, `(.L_x_1)\n"
                                      "BRA `(.L_x_0)\n.L_x_1:\nEXIT"),
                             {"loops": 1, "innermost": 2, "weighted": 21})

    def test_irreducible(self):
        self.assertEqual(measured("@P0 BRA `(.L_x_1)\n.L_x_0:\nMOV R1, R2\n"
                                  ".L_x_1:\nMOV R1, R2\n@P1 BRA `(.L_x_0)\nEXIT"),
                         {"loops": 1, "innermost": 3, "weighted": 1 + 30 + 1})

    def test_indirect_branches(self):
        self.assertEqual(measured(
            '.L_x_0:\nBRX R2 -0x3d0 (*"BRANCH_TARGETS .L_x_1,.L_x_2"*)\n'
            ".L_x_1:\nBRA `(.L_x_0)\n.L_x_2:\nEXIT"),
            {"loops": 1, "innermost": 2, "weighted": 21})

    def test_a_call_counts_as_what_it_calls(self):
        self.assertEqual(measured(
            ".L_x_0:\nCALL.REL.NOINC `($__internal_0_$__cuda_sm20_div_s64)\n"
            "@P0 BRA `(.L_x_0)\nEXIT\n$__internal_0_$__cuda_sm20_div_s64:\n"
            "MOV R1, R2\nRET.REL.NODEC R2 `(k)"),
            {"loops": 1, "innermost": 4, "weighted": 41})

    def test_unrolling(self):
        ptx = '.version 8.8\n.target sm_90\n.address_size 64\n\t.pragma "nounroll";\n'
        self.assertEqual(sass_loops.with_unrolling(ptx),
                         ".version 8.8\n.target sm_90\n.address_size 64\n")
        self.assertIn('.address_size 64\n.pragma "nounroll";\n',
                      sass_loops.without_unrolling(sass_loops.with_unrolling(ptx)))

    def test_weights_are_those_of_the_pass(self):
        header = (ROOT / "transforms/prices/PtxPrices.h").read_text()
        self.assertIn("Weights[] = {1, 10, 100, 1000, 10000};", header)
        self.assertEqual([sass_loops.loop_weight(depth) for depth in range(5)],
                         [1, 10, 100, 1000, 10000])


if __name__ == "__main__":
    unittest.main()
