#!/usr/bin/env python3
"""wrong-cosine.py FUSION_EMIT OPTIONS... MODULE: as FUSION_EMIT, but sine in the place of cosine."""
import subprocess
import sys

with open(sys.argv[-1]) as file:
    text = file.read().replace("cosine(", "sine(")
with open(sys.argv[-1], "w") as file:
    file.write(text)
sys.exit(subprocess.run(sys.argv[1:]).returncode)
