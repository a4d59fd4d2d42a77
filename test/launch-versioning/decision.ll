; A second body has to pay: for the test, and for its size.

; RUN: %unravel-opt -passes=launch-versioning -S %s | FileCheck %s
; RUN: %unravel-opt -passes=launch-versioning -index-simplify-versioning=auto -S %s | FileCheck %s
; RUN: %unravel-opt -passes=launch-versioning -index-simplify-versioning=off -S %s | FileCheck %s --check-prefix=NONE
; RUN: %unravel-opt -passes=launch-versioning -index-simplify-versioning-growth=40 -S %s | FileCheck %s --check-prefix=NONE
; RUN: %unravel-opt -passes=index-simplify -index-simplify-versioning=always -S %s | FileCheck %s --check-prefix=NONE
; RUN: not %unravel-opt -passes=launch-versioning -index-simplify-versioning=often -S %s 2>&1 | FileCheck %s --check-prefix=ERROR
; NONE-NOT: fast:
; ERROR: index-simplify-versioning

; Where it does not, the code is what index-simplify makes of it alone.
; RUN: %unravel-opt -passes=launch-versioning -index-simplify-versioning-growth=0 -S %s -o %t.rolled-back.ll
; RUN: %unravel-opt -passes=index-simplify -S %s -o %t.plain.ll
; RUN: grep -v -e declare -e attributes -e Attrs -e '^$' %t.rolled-back.ll > %t.rolled-back.txt
; RUN: grep -v -e declare -e attributes -e Attrs -e '^$' %t.plain.ll > %t.plain.txt
; RUN: diff %t.plain.txt %t.rolled-back.txt

; Run twice, the second run leaves both bodies as they are, as index-simplify does.
; RUN: %unravel-opt -passes=launch-versioning -S %s -o %t.once.ll
; RUN: %unravel-opt -passes=launch-versioning,launch-versioning -S %s -o %t.twice.ll
; RUN: diff %t.once.ll %t.twice.ll
; RUN: %unravel-opt -passes=launch-versioning,index-simplify -S %s -o %t.again.ll
; RUN: diff %t.once.ll %t.again.ll

; The fast body alone, for measuring.
; RUN: %unravel-opt -passes=launch-versioning -index-simplify-versioning=fast-only -S %s | FileCheck %s --check-prefix=FAST
; FAST-LABEL: @wide(
; FAST: fast:
; FAST: fallback:
; FAST-NEXT: unreachable

; What was decided, and why. A body that is not faster is not worth a word.
; RUN: %unravel-opt -passes=launch-versioning -disable-output -pass-remarks=index-simplify -pass-remarks-missed=index-simplify -pass-remarks-analysis=index-simplify %s 2>&1 | FileCheck %s --check-prefix=REMARK --implicit-check-not='launches with gridDim'
; REMARK-DAG: launches with W > 0, W <= 2147483647, H > 0, H <= 2147483647, W*H <= 2147483647{{.*}} take a faster body: {{[0-9]+}} instead of {{[0-9]+}} SASS instructions of a thread, those in loops counted by depth. It adds {{[0-9]+}} instructions of code to {{[0-9]+}}{{$}}
; REMARK-DAG: launches with argument 1 > 0 could take a faster body: 23 instead of 28 {{.*}} It would add {{[0-9]+}} instructions of code to {{[0-9]+}}, and is left out: it would have to save 8 instructions and 5 percent{{$}}
; REMARK-DAG: launches with s[byte 4] > 0 could take a faster body: {{.*}} it would have to save 8 instructions

; A remark speaks of code that is there: rewrites of the fast body say so, and
; those of a body that did not stay are not told.
; RUN: %unravel-opt -passes=launch-versioning -disable-output -pass-remarks=index-simplify %s 2>&1 | FileCheck %s --check-prefix=BODY
; BODY: launches with W > 0
; BODY-NEXT: value simplified to th_x floordiv (W * H), in the fast body{{$}}
; RUN: %unravel-opt -passes=launch-versioning -index-simplify-versioning-growth=0 -disable-output -pass-remarks=index-simplify %s 2>&1 | FileCheck %s --check-prefix=NO-BODY --allow-empty
; NO-BODY-NOT: fast body
; NO-BODY-NOT: value simplified
; RUN: %unravel-opt -passes=launch-versioning -index-simplify-versioning-growth=0 -disable-output -pass-remarks-missed=index-simplify %s 2>&1 | FileCheck %s --check-prefix=GROWTH
; GROWTH: launches with W > 0, {{.*}} and is left out: it may add 0 percent of the kernel's code (-Xarch_device -mllvm=-index-simplify-versioning-growth=42 allows it)

; Trials of facts, for remarks, leave no trace in the code.
; RUN: %unravel-opt -passes=launch-versioning -pass-remarks-missed=index-simplify -S %s -o %t.remarks.ll 2> %t.remarks.txt
; RUN: diff %t.once.ll %t.remarks.ll

; The record has the parts as arguments.
; RUN: %unravel-opt -passes=launch-versioning -pass-remarks-output=%t.yaml -disable-output %s
; RUN: FileCheck %s --check-prefix=YAML < %t.yaml
; YAML:      Name: {{.*}}LaunchVersioned
; YAML:      - Test: {{.*}}W > 0, W <= 2147483647, H > 0
; YAML:      - Fast: {{.*}}61
; YAML:      - Fallback: {{.*}}168
; YAML:      - Growth: {{.*}}71
; YAML:      - Size: {{.*}}171
; YAML:      Name: {{.*}}Rewritten
; YAML:      - Kind: {{.*}}value
; YAML:      - Form: {{.*}}th_x floordiv (W * H)
; YAML:      - Body: {{.*}}fast
; YAML:      Name: {{.*}}NotVersioned
; YAML:      - Reason: {{.*}}it would have to save 8 instructions and 5 percent

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Two 64-bit divisions become one of 32 bits.
; CHECK-LABEL: define ptx_kernel void @wide(
; CHECK: fast:
; CHECK-NOT: i64 %{{.*}}, %W
; CHECK: {{^}}fallback:
define ptx_kernel void @wide(ptr noundef %out, i64 noundef %W, i64 noundef %H) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %f = zext i32 %t to i64
  %hw = mul i64 %W, %H
  %c = udiv i64 %f, %hw
  %q = udiv i64 %f, %W
  %v = xor i64 %c, %q
  %p = getelementptr inbounds i64, ptr %out, i64 %f
  store i64 %v, ptr %p
  ret void
}

; One signed division becomes unsigned.
; CHECK-LABEL: define ptx_kernel void @narrow_negative(
; CHECK-NOT: fast:
define ptx_kernel void @narrow_negative(ptr noundef %0, i32 noundef %1) {
  %3 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %4 = sdiv i32 %3, %1
  %5 = zext i32 %3 to i64
  %6 = getelementptr inbounds i32, ptr %0, i64 %5
  store i32 %4, ptr %6
  ret void
}
; CHECK-LABEL: define ptx_kernel void @field_negative(
; CHECK-NOT: fast:
define ptx_kernel void @field_negative(ptr noundef %out, ptr noundef readonly byval({i32, i32}) align 4 %s) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %pd = getelementptr inbounds i8, ptr %s, i64 4
  %d = load i32, ptr %pd
  %q = sdiv i32 %t, %d
  store i32 %q, ptr %out
  ret void
}
; CHECK-LABEL: define ptx_kernel void @index_negative(
; CHECK-NOT: fast:
define ptx_kernel void @index_negative(ptr noundef %out) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %bs = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %m = mul i32 %b, %bs
  %x = add i32 %m, %t
  %q = sdiv i32 %x, 3
  store i32 %q, ptr %out
  ret void
}
