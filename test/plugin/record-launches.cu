// What all launches in a file agree on, as facts for its device code.

// REQUIRES: cuda
// RUN: %clang-cuda -fpass-plugin=%plugin --cuda-host-only -O2 -g1 -c -o /dev/null %s \
// RUN:     -Xarch_host -mllvm=-index-simplify-record-launches=%t.json -Rpass-missed=record-launches 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s --input-file=%t.json
// RUN: %clang-cuda --config=%cfg --cuda-device-only -O3 -S -o - %s | FileCheck %s --check-prefixes=PTX,WITHOUT
// RUN: %clang-cuda --config=%cfg --cuda-device-only -O3 -S -o - %s -Xarch_device -mllvm=-index-simplify-facts=%t.json | FileCheck %s --check-prefixes=PTX,WITH
// What the program launches is as recorded.
// RUN: %python %S/launches_hold.py %s %t.json %clang-cuda -O1 | FileCheck %s --check-prefix=HOLD
// HOLD: {{^[0-9][0-9]+}} launches are as recorded
// In the compilation of a whole program, the file is the same.
// RUN: %clang-cuda --config=%cfg -Xarch_host -fpass-plugin=%plugin -O2 -c -o %t.o %s -Xarch_host -mllvm=-index-simplify-record-launches=%t.whole.json
// RUN: diff %t.json %t.whole.json
// Facts about the launches in this file say nothing of another one.
// RUN: cp %s %t.other.cu
// RUN: not %clang-cuda --config=%cfg --cuda-device-only -O3 -S -o /dev/null %t.other.cu -Xarch_device -mllvm=-index-simplify-facts=%t.json 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: not %clang-cuda -fpass-plugin=%plugin --cuda-host-only -O2 -c -o /dev/null %s \
// RUN:     -Xarch_host -mllvm=-index-simplify-record-launches=%t.none/x.json 2>&1 | FileCheck %s --check-prefix=CANNOT
// The source is no place for them.
// RUN: cp %s %t.source.cu
// RUN: not %clang-cuda -fpass-plugin=%plugin --cuda-host-only -O2 -c -o /dev/null %t.source.cu \
// RUN:     -Xarch_host -mllvm=-index-simplify-record-launches=%t.source.cu 2>&1 | FileCheck %s --check-prefix=SOURCE
// RUN: cmp %s %t.source.cu

// OTHER: error: {{.*}}.json: source: the facts are about the launches in {{.*}}record-launches.cu, but this is {{.*}}.other.cu; record its own launches
// CANNOT: error: cannot write the launches: -index-simplify-record-launches: {{.*}}x.json: cannot write: there is no folder '{{.*}}'; name a file in a folder that you may write to
// SOURCE: error: cannot write the launches: -index-simplify-record-launches: {{.*}}.source.cu: {{.*}}it is the same file as the input

// CHECK: "source": "{{.*}}record-launches.cu"
// CHECK-NEXT: "kernels": {

// A size that is checked, and what follows for the grid: of two launches, the
// wider bounds. The divisor is the same in both, and 32 a factor of n.
// CHECK: "_ZL4rowsPfPKfiii": {
// CHECK-NEXT: "grid": {
// CHECK-NEXT: "max": [
// CHECK-NEXT: 8388607,
// CHECK-NEXT: 1,
// CHECK-NEXT: 1
// CHECK: "block": [
// CHECK-NEXT: 256,
// CHECK-NEXT: 1,
// CHECK-NEXT: 1
// CHECK-NEXT: ],
// CHECK-NEXT: "args": {
// CHECK-NEXT: "2": {
// CHECK-NEXT: "min": 32,
// CHECK-NEXT: "max": 2147483392,
// CHECK-NEXT: "multiple_of": 32
// CHECK: "3": {
// CHECK-NEXT: "value": 75
// CHECK-NEXT: },
// CHECK-NEXT: "4": {
// CHECK-NEXT: "min": 1
// CHECK-NEXT: }
// CHECK-NEXT: }
// PTX-LABEL: .entry _ZL4rowsPfPKfiii(
// WITH-DAG: .reqntid 256
// WITHOUT: div.s32
// WITH-NOT: div.
// PTX: ret;
static __global__ void rows(float *out, const float *in, int n, int w, int h) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i % w * h + i / w];
}
void launchRows(float *out, const float *in, int n, int h) {
  if (n <= 0 || n > 2147483392 || h < 1)
    return;
  int padded = (n + 31) & ~31;
  rows<<<(padded + 255) / 256, 256>>>(out, in, padded, 75, h);
  rows<<<dim3(40), dim3(256)>>>(out, in, 9600, 75, 3);
}

// A template in an unnamed namespace, whose launch is inside the arguments of
// another one. Parameters after a struct have their own numbers. (It comes last
// in the file, where clang puts it.)
struct Pair {
  long a, b, c;
};
namespace {
template <int K> __global__ void tiles(float *out, Pair p, int n) {
  out[threadIdx.x] = K + p.a + n;
}
int launchTiles(float *out, Pair p) {
  tiles<3><<<dim3(4, 2, 5), dim3(32, 4, 2)>>>(out, p, -6);
  return 12;
}
} // namespace

// The launch around it: whether the inner one has used up its own sizes is not
// looked into.
// CHECK: "_ZL5outerPfi": {
// CHECK-NEXT: "args": {
// CHECK-NEXT: "1": {
// CHECK-NEXT: "value": 12
static __global__ void outer(float *out, int n) { out[threadIdx.x] = n; }
void launchOuter(float *out, Pair p) {
  outer<<<7, 96>>>(out, launchTiles(out, p));
}

// Launched by the runtime's own function as well: sizes, but no arguments. It
// is no launch to ask for a kernel's attributes.
// CHECK: "_ZL5plainPfi": {
// CHECK-NEXT: "grid": {
// CHECK-NEXT: "max": [
// CHECK-NEXT: 11,
// CHECK: "block": [
// CHECK-NEXT: 64,
// CHECK: "args": {}
static __global__ void plain(float *out, int n) { out[threadIdx.x] = n; }
void launchPlain(float *out, int n) {
  cudaFuncAttributes attributes;
  cudaFuncGetAttributes(&attributes, (const void *)plain);
  plain<<<3, 64>>>(out, 5);
  void *arguments[] = {&out, &n};
  cudaLaunchKernel((const void *)plain, dim3(11), dim3(64), arguments, 0, 0);
}

// Sizes that differ in y, and what is not known.
// CHECK: "_ZL6unlikePfix": {
// CHECK-NEXT: "block": {
// CHECK-NEXT: "max": [
// CHECK-NEXT: 8,
// CHECK-NEXT: 16,
// CHECK-NEXT: 1
// CHECK: "args": {
// CHECK-NEXT: "1": {
// CHECK-NEXT: "min": 4,
// CHECK-NEXT: "max": 9
// CHECK-NEXT: }
// CHECK-NEXT: }
static __global__ void unlike(float *out, int n, long long w) {
  out[threadIdx.x] = n + w;
}
void launchUnlike(float *out, dim3 grid, long long w, bool isTall) {
  if (isTall)
    unlike<<<grid, dim3(8, 16)>>>(out, 4, w);
  else
    unlike<<<grid, dim3(8, 4)>>>(out, 9, w);
}

// Launches by a wrapper, which become one call that two sizes reach, inside the
// arguments of another launch: neither has that one's sizes.
// CHECK: "_ZL13last_negativePfi": {
// CHECK-NEXT: "args": {
// CHECK-NEXT: "1": {
// CHECK-NEXT: "min": -1073741824,
static __global__ void wrap_negative(float *out, int n) { out[threadIdx.x] = n; }
static __global__ void last_negative(float *out, int n) { out[threadIdx.x] = n; }
template <class K, class... A> void wrap(K kernel, dim3 grid, A... arguments) {
  kernel<<<grid, 256>>>(arguments...);
}
static int wrapped(float *out, int n) {
  if (n < 100000)
    wrap(wrap_negative, dim3(40), out, n);
  else
    wrap(wrap_negative, dim3(1000), out, n);
  return n / 2;
}
void launchWrapped(float *out, int n) {
  last_negative<<<1, 256>>>(out, wrapped(out, n));
}

// A launch by an address that cannot be seen uses up sizes as well.
// CHECK: "_ZL17indirect_negativePfi": {
// CHECK-NEXT: "args": {
// CHECK-NEXT: "1": {
// CHECK-NEXT: "value": 3
static __global__ void indirect_negative(float *out, int n) { *out = n; }
void (*unknown)(float *, int);
static int launchUnknown(float *out) {
  bool done = false;
  unknown<<<2, 64>>>(out, (done = true, 4));
  if (!done)
    __builtin_trap();
  return 3;
}
void launchIndirect(float *out) {
  indirect_negative<<<7, 96>>>(out, launchUnknown(out));
}

// Sizes that no GPU has, so that the launch fails, are no facts.
// CHECK: "_ZL17too_many_negativePfi": {
// CHECK-NEXT: "args": {}
static __global__ void too_many_negative(float *out, int n) { *out = n; }
void launchTooMany(float *out, int n) {
  too_many_negative<<<dim3(1, 70000), dim3(64, 32)>>>(out, n);
}

// Bounds are multiples themselves.
// CHECK: "_ZL9multiplesPfi": {
// CHECK: "args": {
// CHECK-NEXT: "1": {
// CHECK-NEXT: "min": 16,
// CHECK-NEXT: "max": 96,
// CHECK-NEXT: "multiple_of": 8
static __global__ void multiples(float *out, int n) { *out = n; }
void launchMultiples(float *out, int n) {
  int m = n & ~7;
  if (m > 9 && m < 100)
    multiples<<<1, 32>>>(out, m);
}

// CHECK: "_ZN12_GLOBAL__N_15tilesILi3EEEvPf4Pairi": {
// CHECK-NEXT: "grid": [
// CHECK-NEXT: 4,
// CHECK-NEXT: 2,
// CHECK-NEXT: 5
// CHECK: "block": [
// CHECK-NEXT: 32,
// CHECK-NEXT: 4,
// CHECK-NEXT: 2
// CHECK: "args": {
// CHECK-NEXT: "2": {
// CHECK-NEXT: "value": -6
// CHECK: "_ZL13wrap_negativePfi": {
// CHECK-NEXT: "args": {}

// CHECK-NOT: stored_negative
// CHECK-NOT: shared_negative
// CHECK-NOT: handed_negative
// CHECK-NOT: unused_negative
// REMARK-DAG: record-launches.cu:[[@LINE+1]]:{{.*}}: remark: the launches of stored_negative(float*) are not recorded: its address is kept, so code that cannot be seen may launch it
static __global__ void stored_negative(float *out) { *out = 1; }
void (*kernels[2])(float *) = {nullptr, stored_negative};

// REMARK-DAG: record-launches.cu:[[@LINE+1]]:{{.*}}: remark: the launches of shared_negative(float*) are not recorded: another file may launch it; declare it static, or in an unnamed namespace
__global__ void shared_negative(float *out) { *out = 1; }

// REMARK-DAG: record-launches.cu:[[@LINE+1]]:{{.*}}: remark: the launches of handed_negative(float*) are not recorded: its address is handed to 'launchAnywhere(void (*)(float*))', which may launch it
static __global__ void handed_negative(float *out) { *out = 1; }
void launchAnywhere(void (*kernel)(float *));

static __global__ void unused_negative(float *out) { *out = 1; }

void launchOthers(float *out) {
  stored_negative<<<1, 32>>>(out);
  shared_negative<<<1, 32>>>(out);
  handed_negative<<<1, 32>>>(out);
  launchAnywhere(handed_negative);
}
