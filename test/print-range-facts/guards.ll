; What each block knows.

; RUN: %unravel-opt -passes='print<range-facts>' -disable-output %s 2>&1 | FileCheck %s

; CHECK: Range facts of k:
; CHECK: %entry:
; CHECK: %x = n, unsigned u(n){{$}}
; CHECK: %inside:
; CHECK: %q = n floordiv 75 in [0, 13]
; CHECK: %r = n mod 75 in [0, 74]
; CHECK: %twelve = 12 * n in [0, 11988], = 0 (mod 12)
; CHECK: %never: never executed

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr %out, i32 noundef %n) {
entry:
  %x = freeze i32 %n
  %c = icmp ult i32 %x, 1000
  br i1 %c, label %inside, label %done
inside:
  %q = udiv i32 %x, 75
  %r = urem i32 %x, 75
  %twelve = mul i32 %x, 12
  %high = icmp ugt i32 %x, 5000
  br i1 %high, label %never, label %done
never:
  store i32 %q, ptr %out
  br label %done
done:
  ret void
}

; An assumption holds in all of its block, however far down it is.
; CHECK: Range facts of far:
; CHECK: %x = n in [0, 99]
define ptx_kernel void @far(ptr %out, i32 noundef %n) {
  %x = freeze i32 %n
  %v0 = add i32 %x, 1
  %v1 = add i32 %v0, 2
  %v2 = add i32 %v1, 3
  %v3 = add i32 %v2, 4
  %v4 = add i32 %v3, 5
  %v5 = add i32 %v4, 6
  %v6 = add i32 %v5, 7
  %v7 = add i32 %v6, 8
  %v8 = add i32 %v7, 9
  %v9 = add i32 %v8, 10
  %v10 = add i32 %v9, 11
  %v11 = add i32 %v10, 12
  %v12 = add i32 %v11, 13
  %v13 = add i32 %v12, 14
  %v14 = add i32 %v13, 15
  %v15 = add i32 %v14, 16
  %v16 = add i32 %v15, 17
  %v17 = add i32 %v16, 18
  %v18 = add i32 %v17, 19
  %v19 = add i32 %v18, 20
  %v20 = add i32 %v19, 21
  %v21 = add i32 %v20, 22
  %v22 = add i32 %v21, 23
  %v23 = add i32 %v22, 24
  %v24 = add i32 %v23, 25
  %v25 = add i32 %v24, 26
  %v26 = add i32 %v25, 27
  %v27 = add i32 %v26, 28
  %v28 = add i32 %v27, 29
  %v29 = add i32 %v28, 30
  %v30 = add i32 %v29, 31
  %v31 = add i32 %v30, 32
  %v32 = add i32 %v31, 33
  %v33 = add i32 %v32, 34
  %v34 = add i32 %v33, 35
  %v35 = add i32 %v34, 36
  %v36 = add i32 %v35, 37
  %v37 = add i32 %v36, 38
  %v38 = add i32 %v37, 39
  %v39 = add i32 %v38, 40
  %v40 = add i32 %v39, 41
  %v41 = add i32 %v40, 42
  %v42 = add i32 %v41, 43
  %v43 = add i32 %v42, 44
  %v44 = add i32 %v43, 45
  %v45 = add i32 %v44, 46
  %v46 = add i32 %v45, 47
  %v47 = add i32 %v46, 48
  %v48 = add i32 %v47, 49
  %v49 = add i32 %v48, 50
  %v50 = add i32 %v49, 51
  %v51 = add i32 %v50, 52
  %v52 = add i32 %v51, 53
  %v53 = add i32 %v52, 54
  %v54 = add i32 %v53, 55
  %v55 = add i32 %v54, 56
  %v56 = add i32 %v55, 57
  %v57 = add i32 %v56, 58
  %v58 = add i32 %v57, 59
  %v59 = add i32 %v58, 60
  %v60 = add i32 %v59, 61
  %v61 = add i32 %v60, 62
  %v62 = add i32 %v61, 63
  %v63 = add i32 %v62, 64
  %v64 = add i32 %v63, 65
  %v65 = add i32 %v64, 66
  %v66 = add i32 %v65, 67
  %v67 = add i32 %v66, 68
  %v68 = add i32 %v67, 69
  %v69 = add i32 %v68, 70
  %v70 = add i32 %v69, 71
  %v71 = add i32 %v70, 72
  %v72 = add i32 %v71, 73
  %v73 = add i32 %v72, 74
  %v74 = add i32 %v73, 75
  %v75 = add i32 %v74, 76
  %v76 = add i32 %v75, 77
  %v77 = add i32 %v76, 78
  %v78 = add i32 %v77, 79
  %v79 = add i32 %v78, 80
  %c = icmp ult i32 %x, 100
  call void @llvm.assume(i1 %c)
  store i32 %v79, ptr %out
  ret void
}

; Behind a call that may not return, it holds only where the call did.
; CHECK: Range facts of stops_negative:
; CHECK: %x = n, unsigned u(n){{$}}
; CHECK: %next:
; CHECK: %y = 2 * n in [0, 198]
define ptx_kernel void @stops_negative(ptr %out, i32 noundef %n) {
  %x = freeze i32 %n
  call void @may_exit()
  %c = icmp ult i32 %x, 100
  call void @llvm.assume(i1 %c)
  br label %next
next:
  %y = mul i32 %x, 2
  store i32 %y, ptr %out
  ret void
}
declare void @may_exit()
