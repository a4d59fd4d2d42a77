#!/usr/bin/env python3
"""Executes the host code of record-launches.cu: do the recorded facts hold?

    launches_hold.py SOURCE.cu FACTS.json CLANG...

CLANG compiles the source for the host. The program is linked with a runtime
that launches nothing and prints what it should launch, and a main that calls
the functions of the source with many values. Exit status: 0 all launches are
as the facts say; 1 one is not, or a recorded kernel was never launched.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

RUNTIME = r"""
#include <cstdio>
#include <cstdlib>
#include <vector>
struct dim3 { unsigned x, y, z; };
struct Pair { long a, b, c; };
struct Configuration { dim3 Grid, Block; };
static std::vector<Configuration> Pushed;
static int Count;
static char **Wanted; // "ADDRESS ARGUMENT ARGUMENT ..." of each kernel

extern "C" unsigned __cudaPushCallConfiguration(dim3 G, dim3 B, size_t, void *) {
  Pushed.push_back({G, B});
  return 0;
}
extern "C" int __cudaPopCallConfiguration(dim3 *G, dim3 *B, size_t *S, void **) {
  *G = Pushed.back().Grid;
  *B = Pushed.back().Block;
  *S = 0;
  Pushed.pop_back();
  return 0;
}
extern "C" int cudaLaunchKernel(const void *F, dim3 G, dim3 B, void **A, size_t, void *) {
  for (int I = 0; I < Count; ++I) {
    char *Text = Wanted[I];
    unsigned long long Address = strtoull(Text, &Text, 16);
    if (Address != reinterpret_cast<unsigned long long>(F))
      continue;
    printf("%d %u %u %u %u %u %u", I, G.x, G.y, G.z, B.x, B.y, B.z);
    while (*Text)
      printf(" %d", *static_cast<int *>(A[strtol(Text, &Text, 10)]));
    printf("\n");
  }
  return 0;
}
extern "C" int cudaFuncGetAttributes(void *, const void *) { return 0; }

void launchAnywhere(void (*)(float *)) {}
extern void (*unknown)(float *, int);
static void launchOther(float *, int) {
  dim3 G, B;
  size_t S;
  __cudaPopCallConfiguration(&G, &B, &S, nullptr);
}
void launchRows(float *, const float *, int, int);
void launchOuter(float *, Pair);
void launchPlain(float *, int);
void launchUnlike(float *, dim3, long long, bool);
void launchWrapped(float *, int);
void launchIndirect(float *);
void launchTooMany(float *, int);
void launchMultiples(float *, int);

int main(int NumArguments, char **Arguments) {
  Count = NumArguments - 1;
  Wanted = Arguments + 1;
  unknown = launchOther;
  const int Values[] = {-2147483647 - 1, -64, -1, 0, 1, 8, 15, 16, 31, 32, 33, 95, 96, 97, 100,
                        256, 99999, 100000, 1 << 30, 2147483392, 2147483393, 2147483647};
  for (int V : Values) {
    for (int H : {-3, 0, 1, 2147483647})
      launchRows(nullptr, nullptr, V, H);
    launchPlain(nullptr, V);
    launchWrapped(nullptr, V);
    launchTooMany(nullptr, V);
    launchMultiples(nullptr, V);
    for (bool IsTall : {false, true})
      launchUnlike(nullptr, {unsigned(V), 3, 70}, V, IsTall);
  }
  launchOuter(nullptr, {1, 2, 3});
  launchIndirect(nullptr);
}
"""


def addresses(program):
    listed = subprocess.run(["nm", program], check=True, capture_output=True, text=True).stdout
    return {fields[2]: fields[0] for fields in map(str.split, listed.splitlines())
            if len(fields) == 3}


def stub_of(kernel, symbols):
    """Names differ in the prefix and in the length in front of it."""
    name = kernel.removeprefix("_ZN12_GLOBAL__N_1").removeprefix("_ZL").lstrip("0123456789")
    return next(s for s in symbols if s.endswith("__device_stub__" + name))


def differences(facts, sizes, arguments):
    """What of one launch is not as the facts say."""
    for name, real in (("grid", sizes[:3]), ("block", sizes[3:])):
        stated = facts.get(name)
        if isinstance(stated, list) and stated != real:
            yield f"{name} is {real}, not {stated}"
        elif isinstance(stated, dict) and any(r > m for r, m in zip(real, stated["max"])):
            yield f"{name} is {real}, above {stated['max']}"
    for (number, stated), real in zip(facts["args"].items(), arguments):
        if not (stated.get("value", real) == real and stated.get("min", real) <= real
                and real <= stated.get("max", real) and real % stated.get("multiple_of", 1) == 0):
            yield f"argument {number} is {real}, not {stated}"


def is_possible(sizes):
    """A launch with other sizes fails."""
    most = (2**31 - 1, 65535, 65535, 1024, 1024, 64)
    return all(1 <= s <= m for s, m in zip(sizes, most))


def main():
    source, facts_file, *clang = sys.argv[1:]
    os.environ.pop("LD_PRELOAD", None)  # nothing here loads the plugin
    kernels = json.loads(pathlib.Path(facts_file).read_text())["kernels"]
    wrong, launched = [], set()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "runtime.cpp").write_text(RUNTIME)
        host, runtime, program = (str(folder / n) for n in ("host.o", "runtime.o", "program"))
        compiler = clang[0]
        subprocess.run([*clang, "-w", "--cuda-host-only", "-c", "-o", host, source], check=True)
        subprocess.run([compiler, "-O1", "-c", "-o", runtime, folder / "runtime.cpp"], check=True)
        subprocess.run([compiler, "-no-pie", "-o", program, host, runtime], check=True)
        symbols = addresses(program)
        wanted = [" ".join([symbols[stub_of(k, symbols)], *facts["args"]])
                  for k, facts in kernels.items()]
        output = subprocess.run([program, *wanted], check=True, capture_output=True, text=True)
    for line in output.stdout.splitlines():
        index, *numbers = map(int, line.split())
        name, facts = list(kernels.items())[index]
        launched.add(name)
        if is_possible(numbers[:6]):
            wrong += [f"{name}: {d}" for d in differences(facts, numbers[:6], numbers[6:])]
    wrong += [f"{name}: never launched" for name in kernels if name not in launched]
    print("\n".join(wrong) or f"{len(output.stdout.splitlines())} launches are as recorded")
    return 1 if wrong else 0


sys.exit(main())
