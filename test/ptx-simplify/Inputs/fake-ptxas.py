#!/usr/bin/env python3
"""fake-ptxas ... FILE -o CUBIN: a cubin as ptxas writes it, of nothing but the
numbers of instructions, registers and local loads that FAKE_OLD and FAKE_NEW
(for what ptx-simplify wrote) name for each kernel: "20,32,0"."""
import os
import re
import struct
import sys

NOP, EXIT, LOCAL_LOAD = 0x918, 0x94D, 0x983

source = open(sys.argv[sys.argv.index("-o") - 1]).read()
cubin = sys.argv[sys.argv.index("-o") + 1]
numbers = os.environ["FAKE_NEW" if "// simplified" in source else "FAKE_OLD"]
instructions, registers, loads = map(int, numbers.split(","))

sections = [("", 0, b""), (".shstrtab", 0, b"")]
info = b""
for number, kernel in enumerate(re.findall(r"\.entry (\w+)", source)):
    opcodes = [LOCAL_LOAD] * loads + [EXIT] * (instructions - loads) + [NOP] * 3
    code = b"".join(struct.pack("<QQ", opcode, 0) for opcode in opcodes)
    sections.append((".text." + kernel, number, code))
    info += struct.pack("<BBH", 3, 0x1B, 255)  # something else, without bytes
    if registers:
        info += struct.pack("<BBHII", 4, 0x2F, 8, number, registers)
sections.append((".nv.info", 0, info))

names = b"".join(name.encode() + b"\0" for name, _, _ in sections)
sections[1] = (".shstrtab", 0, names)
data, headers, at = b"", b"", 0
for name, symbol, contents in sections:
    kind = 3 if name == ".shstrtab" else 1 if name else 0
    headers += struct.pack("<IIQQQQIIQQ", at, kind, 0, 0, 64 + len(data), len(contents), 0, symbol, 1, 0)
    data += contents
    at += len(name) + 1
data += b"\0" * (-len(data) % 8)
head = b"\x7fELF\x02\x01\x01" + b"\0" * 9
head += struct.pack("<HHIQQQIHHHHHH", 2, 190, 1, 0, 0, 64 + len(data), 0, 64, 0, 0, 64, len(sections), 1)
open(cubin, "wb").write(head + data + headers)
