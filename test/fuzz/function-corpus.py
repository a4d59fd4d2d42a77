#!/usr/bin/env python3
"""Assembles every function of some .ll files into a file of bitcode of its own.

usage: function-corpus.py LLVM-TOOLS TARGET-FOLDER FILE.ll...

The fuzzer of the pass starts from them. A file that is no module on its own
(one for split-file, say) is left out.
"""
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

tools, target, *files = sys.argv[1:]
os.makedirs(target, exist_ok=True)


def extract(job):
    path, function = job
    stem = os.path.splitext(os.path.basename(path))[0]
    command = [os.path.join(tools, "llvm-extract"), "--func", function, path,
               "-o", os.path.join(target, f"{stem}.{function}.bc")]
    return subprocess.run(command, capture_output=True).returncode == 0


jobs = []
for path in files:
    with open(path) as f:
        jobs += [(path, name) for name in
                 re.findall(r"^define .*?@([\w.]+)\(", f.read(), re.MULTILINE)]
with ThreadPoolExecutor(os.cpu_count()) as pool:
    count = sum(pool.map(extract, jobs))
print(f"{count} of {len(jobs)} functions of {len(files)} files in {target}")
if count < len(jobs) // 2:
    sys.exit(f"error: most of the functions could not be extracted by {tools}/llvm-extract")
