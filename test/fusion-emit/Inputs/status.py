"""status.py N COMMAND...: runs the command; fails unless its status is N."""
import subprocess
import sys

status = subprocess.run(sys.argv[2:]).returncode
if status != int(sys.argv[1]):
    sys.exit(f"status {status} instead of {sys.argv[1]}")
