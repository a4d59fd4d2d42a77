# How the text tests run. Loaded by build/test/lit.site.cfg.py, so
#   lit -v build/test/index-simplify/some-test.ll
# runs one of them.
import glob
import os
import sys

import lit.formats

config.name = "Unravel"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".ll", ".test", ".cu"]
config.excludes = ["Inputs"]
config.test_source_root = config.source_root + "/test"
config.test_exec_root = config.build_root + "/test"


def tool(name):
    return os.path.join(config.llvm_tools, name)


def built(name):
    return os.path.join(config.build_root, "bin", name)


plugin = config.build_root + "/plugin/Unravel.so"
clang_cuda = (
    f"{tool('clang++')} -x cuda --cuda-path={config.cuda_path} "
    "-Wno-unknown-cuda-version --cuda-gpu-arch=sm_90"
)
for name, value in {
    "plugin": plugin,
    "foreign-host": config.build_root + "/test/foreign-host",
    "unravel-opt": f"{tool('opt')} -load-pass-plugin={plugin}",
    "access-report": built("access-report"),
    "index-map": built("index-map"),
    "ptx-compare": built("ptx-compare"),
    "ptx-simplify": built("ptx-simplify"),
    "unravel-ptxas": built("unravel-ptxas"),
    "unravel-toolkit": built("unravel-toolkit"),
    "kernel-fuzz": built("kernel-fuzz"),
    "ptx-fuzz": built("ptx-fuzz"),
    "wrong-pass": config.build_root + "/test/kernel-fuzz/WrongPass.so",
    "fusion-emit": built("fusion-emit"),
    "kernel-run": built("kernel-run"),
    "python": sys.executable,
    "chromium": config.chromium,
    "clang-cuda": clang_cuda,
    "cfg": config.build_root + "/plugin/unravel.cfg",
    "source-root": config.source_root,
}.items():
    # The whole word only: %plugin is not the beginning of %plugin-x.
    config.substitutions.append((f"%{name}(?![\\w-])", value))

# opt, llc, FileCheck, not: those of the LLVM that we build against.
config.environment["PATH"] = os.pathsep.join(
    [config.llvm_tools, built(""), config.environment["PATH"]]
)

if "NVPTX" in config.llvm_targets:
    config.available_features.add("nvptx")
if config.llvm_assertions:
    config.available_features.add("asserts")
if config.cuda_path:
    config.available_features.add("cuda")
    config.environment["CUDA_PATH"] = config.cuda_path
    if os.access(os.path.join(config.cuda_path, "bin/nvcc"), os.X_OK):
        config.available_features.add("nvcc")
        config.substitutions.append(("%{cuda}", config.cuda_path))

# opt and clang of another major version, which have to refuse the plugin.
for name in ("opt", "clang"):
    for path in sorted(glob.glob(f"/usr/lib/llvm-*/bin/{name}")):
        if not os.path.samefile(path, tool(name)):
            config.available_features.add(f"other-{name}")
            config.substitutions.append((f"%other-{name}", path))
            break

if config.chromium:
    config.available_features.add("chromium")

if config.preload:
    config.available_features.add("asan")
    # For opt and clang, which are not instrumented but load the plugin.
    config.environment["LD_PRELOAD"] = config.preload
