"""PTX in, PTX out; and the same for integrations, which must not fail."""

import glob
import importlib.util
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import tempfile
import warnings

from . import _tools
from ._errors import UnravelError, UnravelWarning


def _ptxas_of_packages():
    """Those of the packages nvidia-cuda-nvcc, in cu13, and nvidia-cuda-nvcc-cu12, in cuda_nvcc;
    newest first."""
    spec = importlib.util.find_spec("nvidia")
    folders = spec.submodule_search_locations if spec else []
    return [path for name in ("cu[0-9]*", "cuda_nvcc") for folder in folders
            for path in sorted(glob.glob(f"{folder}/{name}/bin/ptxas"), reverse=True)]


def find_ptxas():
    """NVIDIA's ptxas, where unravel-ptxas looks for it, or that of a Python package."""
    if named := os.environ.get("UNRAVEL_PTXAS"):
        return named
    roots = [os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH"), "/usr/local/cuda"]
    for root in filter(None, roots):
        if os.access(path := f"{root}/bin/ptxas", os.X_OK):
            return path
    if path := shutil.which("ptxas"):
        return path
    if paths := _ptxas_of_packages():
        return paths[0]
    raise UnravelError("ptxas: not found; set UNRAVEL_PTXAS to NVIDIA's ptxas, "
                       "or pip install nvidia-cuda-nvcc")


def _as_str(text):
    if isinstance(text, (bytes, bytearray)):  # as NVRTC gives it
        try:
            return text.decode("utf-8")
        except UnicodeDecodeError as error:
            raise UnravelError(f"text: these bytes are no PTX, perhaps machine code: "
                               f"{error}") from None
    if isinstance(text, str):
        return text
    raise UnravelError(f"text: PTX as str or bytes, not {type(text).__name__}")


def simplify_ptx(text, *, versioning="auto", facts=None, judge=None, report=False, options=(),
                 timeout=None):
    """The module `text` with its kernels simplified.

    text        str, or bytes as NVRTC gives them
    versioning  "auto": a second body for ordinary launches where it pays; "off": never
    facts       facts about launches: a JSON file, or its content as Python objects
    judge       a ptxas, or True for the toolkit's: take a kernel only if its machine code is
                no worse
    report      return (text, report): the report says what became of each kernel
    options     more options of ptx-simplify, such as "-index-simplify-reciprocals=false"
    timeout     seconds

    A kernel that is not understood, or does not get cheaper, stays byte for byte as it was.
    Raises UnravelError, with the line and the column, where the text is no PTX. Warns of facts
    about kernels and arguments that the module lacks (UnravelWarning).
    """
    text = _as_str(text)
    if isinstance(options, str):
        raise UnravelError(f"options: a list of strings, not {options!r}: [{options!r}]")
    if versioning not in ("auto", "off"):
        raise UnravelError(f'versioning: "auto" or "off", not {versioning!r}')
    with tempfile.TemporaryDirectory(prefix="unravel-") as folder:
        arguments = ["-", "-o", "-", f"--versioning={versioning}", *options]
        renamed = {}
        if facts is not None:
            if not isinstance(facts, (str, os.PathLike)):
                path = pathlib.Path(folder, "facts.json")
                path.write_text(json.dumps(facts), encoding="utf-8")
                facts = path
                renamed[os.fspath(path)] = "facts"
            arguments.append(f"-index-simplify-facts={os.fspath(facts)}")
        if judge:
            arguments += ["--judge", find_ptxas() if judge is True else os.fspath(judge)]
        report_path = pathlib.Path(folder, "report.json")
        if report:
            arguments += ["--report", str(report_path)]
        # Bytes: line ends of kernels that stay must stay, too.
        result = _tools.run("ptx-simplify", arguments, text.encode("utf-8"), timeout,
                            renamed)
        result = result.decode("utf-8")
        if report:
            return result, json.loads(report_path.read_text(encoding="utf-8"))
        return result


def _is_on(variable):
    return os.environ.get(variable, "") not in ("", "0")


def _timeout_of_environment():
    text = os.environ.get("UNRAVEL_TIMEOUT", "")
    return int(text) if text.isdigit() and int(text) else 60


def simplify_or_keep(text, name):
    """As unravel-ptxas does it: with the settings of the environment, and with a line in
    UNRAVEL_LOG. Where that fails, the text as it is, and one warning."""
    try:
        result, report = simplify_ptx(
            text, versioning=os.environ.get("UNRAVEL_VERSIONING") or "auto",
            judge=_is_on("UNRAVEL_JUDGE"), report=True, timeout=_timeout_of_environment(),
            options=shlex.split(os.environ.get("UNRAVEL_OPTIONS", "")))
    except (UnravelError, ValueError) as error:  # ValueError: quotes in UNRAVEL_OPTIONS
        first_line = str(error).partition("\n")[0]
        warnings.warn(f"{name}: not simplified, the original PTX is used: {first_line}",
                      UnravelWarning, stacklevel=2)
        return text
    if log := os.environ.get("UNRAVEL_LOG"):
        report["input"] = name
        try:
            with open(log, "a", encoding="utf-8") as file:
                file.write(json.dumps(report) + "\n")
        except OSError as error:
            warnings.warn(f"UNRAVEL_LOG: cannot write: {error}", UnravelWarning, stacklevel=2)
    return result


def simplify_image(image, name):
    """What a compiler made, as bytes: PTX is simplified; machine code and LTO-IR stay."""
    try:
        text = image.decode("utf-8")
    except UnicodeDecodeError:
        return image
    return simplify_or_keep(text, name).encode("utf-8") if ".version" in text else image


def assemble(image, target):
    """The machine code of PTX, as bytes, for "sm_90". Raises UnravelError."""
    ptxas = find_ptxas()
    with tempfile.TemporaryDirectory(prefix="unravel-") as folder:
        source, cubin = (pathlib.Path(folder, name) for name in ("kernel.ptx", "kernel.cubin"))
        source.write_bytes(image.rstrip(b"\0"))
        try:
            done = subprocess.run([ptxas, f"-arch={target}", source, "-o", cubin],
                                  capture_output=True, check=False, cwd=folder)
        except OSError as error:
            raise UnravelError(f"{ptxas}: cannot run: {error}") from None
        if done.returncode != 0 or not cubin.is_file():
            message = done.stderr.decode("utf-8", "replace").strip().partition("\n")[0]
            raise UnravelError(f"{ptxas}: {message or f'exit status {done.returncode}'}; "
                               "UNRAVEL_PTXAS names another one")
        return cubin.read_bytes()
