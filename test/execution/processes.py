"""Running clang, opt and the project's tools, with the plugin or without."""

import os
import subprocess

TIMEOUT = 300


class Failure(Exception):
    """What could not be run or compared; .status is the exit status."""

    def __init__(self, message, status=2):
        super().__init__(message)
        self.status = status


def run(command, preload=""):
    """The finished process; its standard error on a failure to start."""
    environment = dict(os.environ)
    if preload:
        environment["LD_PRELOAD"] = preload
        environment.setdefault("ASAN_OPTIONS", "detect_leaks=0")
    try:
        return subprocess.run([str(word) for word in command],
                              env=environment, timeout=TIMEOUT,
                              capture_output=True, text=True)
    except OSError as error:
        raise Failure(f"cannot run {command[0]}: {error.strerror}")
    except subprocess.TimeoutExpired:
        raise Failure(f"{command[0]} took more than {TIMEOUT} s", status=1)
