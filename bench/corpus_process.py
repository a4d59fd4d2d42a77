"""Running compilers within a budget of CPU seconds."""

import math
import os
import pathlib
import resource
import signal
import subprocess
import tempfile
import threading

WAIT = 20


class Failure(Exception):
    """Why a file could not be measured, in one line."""


def run(command, budget):
    """(what the command prints, its CPU seconds).

    The seconds that it takes are taken from budget[0]; beyond that it is killed.
    They are CPU time, so that a busy machine makes no difference; what does not
    even use that is killed WAIT times later, with all that it has started.
    """
    command = [str(word) for word in command]
    tool = pathlib.Path(command[0]).name
    if budget[0] <= 0:
        raise Failure(f"out of time before {tool} (--timeout)")
    expired = threading.Event()
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        try:
            process = subprocess.Popen(command, stdout=output, stderr=errors,
                                       stdin=subprocess.DEVNULL,
                                       start_new_session=True)
        except OSError as error:
            raise Failure(f"cannot run {command[0]}: {error.strerror}")
        limit = math.ceil(budget[0])
        resource.prlimit(process.pid, resource.RLIMIT_CPU, (limit, limit + 1))

        def expire():
            expired.set()
            os.killpg(process.pid, signal.SIGKILL)

        timer = threading.Timer(WAIT * limit, expire)
        timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        errors.seek(0)
        text = output.read().decode(errors="replace")
        log = errors.read().decode(errors="replace")
    seconds = usage.ru_utime + usage.ru_stime
    budget[0] -= seconds
    if expired.is_set() or process.returncode == -signal.SIGXCPU:
        raise Failure(f"{tool} ran out of time (--timeout)")
    if process.returncode:
        raise Failure(f"{tool}: {first_error(log or text, process.returncode)}")
    return text, seconds


def first_error(log, status):
    lines = log.strip().splitlines()
    if status < 0:
        reason = f"ended by signal {-status}"
        return f"{reason}: {lines[0]}" if lines else reason
    errors = [line for line in lines if "error" in line or "fatal" in line] or lines
    return errors[0].strip() if errors else f"exit status {status}"
