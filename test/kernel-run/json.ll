; --json: the report on standard output, for all three outcomes.
;
; RUN: %kernel-run %s --json --kernel iota --grid 2,1 --block 4,2 --sample-blocks 1 --args out:i32:16,i32:1 > %t.json
; RUN: %python -m json.tool %t.json | FileCheck %s --check-prefix=OK
; OK: "module": "{{.*}}json.ll",
; OK-NEXT: "kernel": "iota",
; OK-NEXT: "status": "ok",
; OK-NEXT: "launches": [
; OK: "grid": [
; OK-NEXT: 2,
; OK-NEXT: 1,
; OK-NEXT: 1
; OK: "block": [
; OK-NEXT: 4,
; OK-NEXT: 2,
; OK-NEXT: 1
; OK: "blocks_run": 1,
; OK-NEXT: "threads_run": 8,
; OK-NEXT: "bytes": 64,
; OK-NEXT: "bytes_changed": 32,
; OK: "buffers": [
; OK: "argument": 0,
; OK-NEXT: "name": "out",
; OK-NEXT: "type": "i32",
; OK-NEXT: "count": 16,
; OK-NEXT: "bytes_changed": 32,
; OK-NEXT: "checksum": "{{[0-9a-f]+}}"
; OK-NOT: difference
; OK-NOT: message
;
; The checksum is that of the bytes, not of the run.
; RUN: %kernel-run %s --json --kernel iota --grid 2 --block 8 --jobs 2 --args out:i32:16,i32:1 | grep checksum > %t.one
; RUN: %kernel-run %s --json --kernel iota --grid 4 --block 4 --args out:i32:16,i32:1 | grep checksum > %t.two
; RUN: %kernel-run %s --json --kernel iota --grid 4 --block 4 --args out:i32:16,i32:2 | grep checksum > %t.three
; RUN: diff %t.one %t.two
; RUN: not diff %t.one %t.three
;
; RUN: not %kernel-run %s --json --kernel iota --also-kernel late --grid 1 --block 16 --args out:i32:16,i32:1 > %t.json
; RUN: %python -m json.tool %t.json | FileCheck %s --check-prefix=DIFFERENT
; DIFFERENT: "status": "different",
; DIFFERENT-NEXT: "message": "argument 0 (out) (i32) differs at element 15, byte 60:
; DIFFERENT-NEXT: "difference": {
; DIFFERENT-NEXT: "place": "argument 0 (out)",
; DIFFERENT-NEXT: "type": "i32",
; DIFFERENT-NEXT: "element": 15,
; DIFFERENT-NEXT: "byte": 60,
; DIFFERENT-NEXT: "left": {
; DIFFERENT-NEXT: "version": "{{.*}}json.ll",
; DIFFERENT-NEXT: "value": "16",
; DIFFERENT-NEXT: "writer": "thread (15, 0, 0) of block (0, 0, 0) wrote it last\n    at: store i32 %x, ptr %at, align 4 in function iota"
; DIFFERENT: "right": {
; DIFFERENT-NEXT: "version": "late of {{.*}}json.ll",
; DIFFERENT-NEXT: "value": "17",
; DIFFERENT: "launches": []
;
; RUN: not %kernel-run %s --json --kernel iota --grid 1 --block 17 --args out:i32:16,i32:1 > %t.json
; RUN: %python -m json.tool %t.json | FileCheck %s --check-prefix=FAULT
; FAULT: "status": "fault",
; FAULT-NEXT: "message": "{{.*}}json.ll: thread (16, 0, 0) of block (0, 0, 0) writes 4 bytes at byte 64 of argument 0
;
; RUN: not %kernel-run %s --json --kernel absent --grid 1 --block 17 --args out:i32:16 2>&1 | FileCheck %s --check-prefix=NONE
; NONE: kernel-run: {{.*}} defines no kernel absent
; NONE-NOT: {

target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()

define ptx_kernel void @iota(ptr %out, i32 %step) {
  %tx = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ty = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %nx = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %ny = call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %rows = mul i32 %b, %ny
  %row = add i32 %rows, %ty
  %first = mul i32 %row, %nx
  %i = add i32 %first, %tx
  %at = getelementptr i32, ptr %out, i32 %i
  %scaled = mul i32 %i, %step
  %x = add i32 %scaled, 1
  store i32 %x, ptr %at
  ret void
}

define ptx_kernel void @late(ptr %out, i32 %step) {
  call void @iota(ptr %out, i32 %step)
  %last = getelementptr i32, ptr %out, i32 15
  store i32 17, ptr %last
  ret void
}
