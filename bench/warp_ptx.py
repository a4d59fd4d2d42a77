#!/usr/bin/env python3
"""The PTX of the examples of NVIDIA Warp, for bench/ptx_door.py. No GPU is needed.

    pip install warp-lang usd-core pillow nvidia-cuda-nvcc
    bench/warp_ptx.py FOLDER
    bench/ptx_door.py FOLDER --cuda-path .../site-packages/nvidia/cu13

Warp's PTX needs a ptxas as new as its NVRTC, which the last package has. The examples
are those of the installed package; one that cannot be imported, for want of another
package, is left out and named. Exit status: 0 done; 2 there is no PTX.
"""

import argparse
import contextlib
import importlib
import io
import pathlib
import sys


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("folder", type=pathlib.Path, help="where the PTX goes")
    add("--arch", type=int, default=90, help="compute capability (default: 90)")
    return parser.parse_args()


def compile_module(warp, name, options):
    """Why there is no PTX of this Python module, or None."""
    try:
        # Examples print, and some end the process where they miss something.
        with contextlib.redirect_stdout(io.StringIO()):
            importlib.import_module(name)
            module = warp.get_module(name)
            if not module.kernels:
                return "no kernels"
            warp.compile_aot_module(module, arch=options.arch, use_ptx=True,
                                    module_dir=options.folder / name.split(".")[-1])
    except (Exception, SystemExit) as error:  # pylint: disable=broad-exception-caught
        return (str(error).strip().splitlines() or [type(error).__name__])[0]
    return None


def main():
    options = parse_options()
    try:
        warp = importlib.import_module("warp")
    except ImportError:
        print("warp_ptx.py: error: Warp is not installed: pip install warp-lang", file=sys.stderr)
        return 2
    warp.config.quiet = True
    warp.init()
    examples = importlib.import_module("warp.examples")
    root = pathlib.Path(examples.__path__[0])
    names = [".".join(("warp.examples", *file.relative_to(root).with_suffix("").parts))
             for file in sorted(root.rglob("example_*.py"))]
    for number, name in enumerate(names, 1):
        reason = compile_module(warp, name, options)
        print(f"[{number}/{len(names)}] {name}: {reason or 'compiled'}", flush=True)
    files = list(options.folder.rglob("*.ptx"))
    for file in files:  # ptxas takes no zero byte, which is the end of NVRTC's text
        file.write_bytes(file.read_bytes().rstrip(b"\0"))
    print(f"{len(files)} PTX files in {options.folder}")
    return 0 if files else 2


if __name__ == "__main__":
    sys.exit(main())
