; What only states a fact computes nothing: no address is made from it.

; RUN: %unravel-opt -passes=index-simplify,verify -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; RUN: %unravel-opt -passes='index-simplify<verify>' -disable-output %s
; DEFINE: %{run} = %kernel-run --grid 17 --block 128 --args in:f32:16250,in:f32:130,out:f32:2080,out:i8:8320
; RUN: %{run} --kernel stated %s %t.ll
; RUN: %{run} --kernel stated_negative %s %t.ll

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; The 64-bit sum of the assumptions is x/16, and so is the index.
; CHECK-LABEL: define ptx_kernel void @stated(
; CHECK: then:
; CHECK: %[[Q:.*]] = lshr i32 %v3, 4
; CHECK: %[[WIDE:.*]] = sext i32 %[[Q]] to i64
; CHECK: getelementptr inbounds nuw i32, ptr %temp_max, i64 %[[WIDE]]
; CHECK: ret void
define ptx_kernel void @stated(ptr noundef %p0, ptr noundef %temp_max, ptr noundef %out, ptr noundef %sums) {
  %v0 = tail call range(i32 0, 17) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %v1 = tail call range(i32 0, 128) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v2 = shl nuw nsw i32 %v0, 7
  %v3 = or disjoint i32 %v2, %v1
  %v4 = and i32 %v1, 15
  %v5 = lshr i32 %v3, 4
  %v6 = icmp samesign ult i32 %v3, 2080
  br i1 %v6, label %then, label %exit
then:
  %.lhs.trunc = trunc nuw i32 %v5 to i8
  %v14 = urem i8 %.lhs.trunc, 65
  %.zext = zext nneg i8 %v14 to i32
  %.cmp = icmp samesign ugt i32 %v3, 1039
  %v15 = zext i1 %.cmp to i32
  %v16 = select i1 %.cmp, i32 65, i32 0
  %v17 = add nuw nsw i32 %v16, %.zext
  %v18 = mul nuw nsw i32 %v17, 125
  %v19 = add nuw nsw i32 %v18, %v4
  %v20 = zext nneg i32 %v19 to i64
  %v21 = getelementptr inbounds nuw float, ptr %p0, i64 %v20
  %v22 = sext i32 %v15 to i64
  %v23 = mul nsw i64 %v22, 65
  %v24 = icmp sle i64 %v23, 2147483647
  call void @llvm.assume(i1 %v24)
  %v25 = icmp sge i64 %v23, -2147483648
  call void @llvm.assume(i1 %v25)
  %v26 = sext i32 %.zext to i64
  %v27 = add nsw i64 %v23, %v26
  %v28 = icmp sle i64 %v27, 2147483647
  call void @llvm.assume(i1 %v28)
  %v29 = icmp sge i64 %v27, -2147483648
  call void @llvm.assume(i1 %v29)
  %v30 = mul nsw i64 %v27, 125
  %v31 = icmp sle i64 %v30, 2147483647
  call void @llvm.assume(i1 %v31)
  %v32 = icmp sge i64 %v30, -2147483648
  call void @llvm.assume(i1 %v32)
  %v33 = sext i32 %v4 to i64
  %v34 = add nsw i64 %v30, %v33
  %v35 = icmp sle i64 %v34, 2147483647
  call void @llvm.assume(i1 %v35)
  %v36 = icmp sge i64 %v34, -2147483648
  call void @llvm.assume(i1 %v36)
  %v37 = load float, ptr %v21, align 4
  %v38 = zext nneg i32 %v17 to i64
  %v39 = getelementptr inbounds nuw float, ptr %temp_max, i64 %v38
  %v40 = sext i32 %v15 to i64
  %v41 = mul nsw i64 %v40, 65
  %v42 = icmp sle i64 %v41, 2147483647
  call void @llvm.assume(i1 %v42)
  %v43 = icmp sge i64 %v41, -2147483648
  call void @llvm.assume(i1 %v43)
  %v44 = sext i32 %.zext to i64
  %v45 = add nsw i64 %v41, %v44
  %v46 = icmp sle i64 %v45, 2147483647
  call void @llvm.assume(i1 %v46)
  %v47 = icmp sge i64 %v45, -2147483648
  call void @llvm.assume(i1 %v47)
  %v48 = load float, ptr %v39, align 4
  %s = fsub float %v37, %v48
  %y = zext nneg i32 %v3 to i64
  %o = getelementptr inbounds nuw float, ptr %out, i64 %y
  store float %s, ptr %o
  br label %exit
exit:
  ret void
}

; Four bits of the sum are stored as well, which is no word that gets new code:
; the sum is there, and nothing pays.
; CHECK-LABEL: define ptx_kernel void @stated_negative(
; CHECK: %v38 = zext nneg i32 %v17 to i64
; CHECK: getelementptr inbounds nuw float, ptr %temp_max, i64 %v38
; CHECK: ret void
define ptx_kernel void @stated_negative(ptr noundef %p0, ptr noundef %temp_max, ptr noundef %out, ptr noundef %sums) {
  %v0 = tail call range(i32 0, 17) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %v1 = tail call range(i32 0, 128) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v2 = shl nuw nsw i32 %v0, 7
  %v3 = or disjoint i32 %v2, %v1
  %v4 = and i32 %v1, 15
  %v5 = lshr i32 %v3, 4
  %v6 = icmp samesign ult i32 %v3, 2080
  br i1 %v6, label %then, label %exit
then:
  %.lhs.trunc = trunc nuw i32 %v5 to i8
  %v14 = urem i8 %.lhs.trunc, 65
  %.zext = zext nneg i8 %v14 to i32
  %.cmp = icmp samesign ugt i32 %v3, 1039
  %v15 = zext i1 %.cmp to i32
  %v16 = select i1 %.cmp, i32 65, i32 0
  %v17 = add nuw nsw i32 %v16, %.zext
  %v18 = mul nuw nsw i32 %v17, 125
  %v19 = add nuw nsw i32 %v18, %v4
  %v20 = zext nneg i32 %v19 to i64
  %v21 = getelementptr inbounds nuw float, ptr %p0, i64 %v20
  %v22 = sext i32 %v15 to i64
  %v23 = mul nsw i64 %v22, 65
  %v24 = icmp sle i64 %v23, 2147483647
  call void @llvm.assume(i1 %v24)
  %v25 = icmp sge i64 %v23, -2147483648
  call void @llvm.assume(i1 %v25)
  %v26 = sext i32 %.zext to i64
  %v27 = add nsw i64 %v23, %v26
  %v28 = icmp sle i64 %v27, 2147483647
  call void @llvm.assume(i1 %v28)
  %v29 = icmp sge i64 %v27, -2147483648
  call void @llvm.assume(i1 %v29)
  %v30 = mul nsw i64 %v27, 125
  %v31 = icmp sle i64 %v30, 2147483647
  call void @llvm.assume(i1 %v31)
  %v32 = icmp sge i64 %v30, -2147483648
  call void @llvm.assume(i1 %v32)
  %v33 = sext i32 %v4 to i64
  %v34 = add nsw i64 %v30, %v33
  %v35 = icmp sle i64 %v34, 2147483647
  call void @llvm.assume(i1 %v35)
  %v36 = icmp sge i64 %v34, -2147483648
  call void @llvm.assume(i1 %v36)
  %v37 = load float, ptr %v21, align 4
  %v38 = zext nneg i32 %v17 to i64
  %v39 = getelementptr inbounds nuw float, ptr %temp_max, i64 %v38
  %v40 = sext i32 %v15 to i64
  %v41 = mul nsw i64 %v40, 65
  %v42 = icmp sle i64 %v41, 2147483647
  call void @llvm.assume(i1 %v42)
  %v43 = icmp sge i64 %v41, -2147483648
  call void @llvm.assume(i1 %v43)
  %v44 = sext i32 %.zext to i64
  %v45 = add nsw i64 %v41, %v44
  %v46 = icmp sle i64 %v45, 2147483647
  call void @llvm.assume(i1 %v46)
  %v47 = icmp sge i64 %v45, -2147483648
  call void @llvm.assume(i1 %v47)
  %v48 = load float, ptr %v39, align 4
  %s = fsub float %v37, %v48
  %y = zext nneg i32 %v3 to i64
  %o = getelementptr inbounds nuw float, ptr %out, i64 %y
  store float %s, ptr %o
  %z = getelementptr inbounds nuw i8, ptr %sums, i64 %y
  %v17.low = trunc i32 %v17 to i4
  store i4 %v17.low, ptr %z
  br label %exit
exit:
  ret void
}
