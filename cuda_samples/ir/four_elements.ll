; four_elements.cu as clang++-22 -O3 leaves it without the plugin, for machines without CUDA:
;   clang++-22 -x cuda four_elements.cu --cuda-device-only -S -emit-llvm -O3 --cuda-gpu-arch=sm_90

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.float4 = type { float, float, float, float }

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: readwrite, inaccessiblemem: write)
define dso_local ptx_kernel void @four_elements(ptr noalias noundef readonly captures(none) %0, ptr noalias noundef writeonly captures(none) %1) local_unnamed_addr #0 {
  call void @llvm.assume(i1 true) [ "align"(ptr %0, i64 16) ]
  call void @llvm.assume(i1 true) [ "align"(ptr %1, i64 16) ]
  %3 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %4 = shl i32 %3, 7
  %5 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %6 = add i32 %4, %5
  %7 = sdiv i32 %6, 3000
  %8 = mul nsw i32 %7, 40
  %9 = sdiv i32 %6, 75
  %10 = srem i32 %9, 40
  %11 = add nsw i32 %8, %10
  %12 = mul nsw i32 %11, 300
  %13 = mul i32 %9, 75
  %14 = sub i32 %6, %13
  %15 = shl nsw i32 %14, 2
  %16 = add nsw i32 %12, %15
  %17 = icmp slt i32 %16, 240000
  br i1 %17, label %18, label %35

18:                                               ; preds = %2
  %19 = sdiv i32 %16, 12000
  %20 = freeze i32 %16
  %21 = sdiv i32 %20, 300
  %22 = srem i32 %21, 40
  %23 = mul i32 %21, 300
  %24 = sub i32 %20, %23
  %25 = mul nsw i32 %19, 40
  %26 = add nsw i32 %25, %22
  %27 = mul nsw i32 %26, 300
  %28 = add nsw i32 %27, %24
  %29 = sext i32 %28 to i64
  %30 = getelementptr inbounds float, ptr %0, i64 %29
  %31 = load float, ptr %30, align 16, !tbaa !11
  %32 = fmul contract float %31, 5.000000e-01
  %33 = sext i32 %16 to i64
  %34 = getelementptr inbounds float, ptr %1, i64 %33
  store float %32, ptr %34, align 16, !tbaa !11
  br label %35

35:                                               ; preds = %18, %2
  %36 = or disjoint i32 %16, 1
  %37 = icmp slt i32 %36, 240000
  br i1 %37, label %38, label %55

38:                                               ; preds = %35
  %39 = sdiv i32 %36, 12000
  %40 = freeze i32 %36
  %41 = sdiv i32 %40, 300
  %42 = srem i32 %41, 40
  %43 = mul i32 %41, 300
  %44 = sub i32 %40, %43
  %45 = mul nsw i32 %39, 40
  %46 = add nsw i32 %45, %42
  %47 = mul nsw i32 %46, 300
  %48 = add nsw i32 %47, %44
  %49 = sext i32 %48 to i64
  %50 = getelementptr inbounds float, ptr %0, i64 %49
  %51 = load float, ptr %50, align 4, !tbaa !11
  %52 = fmul contract float %51, 5.000000e-01
  %53 = sext i32 %36 to i64
  %54 = getelementptr inbounds float, ptr %1, i64 %53
  store float %52, ptr %54, align 4, !tbaa !11
  br label %55

55:                                               ; preds = %38, %35
  %56 = or disjoint i32 %16, 2
  %57 = icmp slt i32 %56, 240000
  br i1 %57, label %58, label %75

58:                                               ; preds = %55
  %59 = sdiv i32 %56, 12000
  %60 = freeze i32 %56
  %61 = sdiv i32 %60, 300
  %62 = srem i32 %61, 40
  %63 = mul i32 %61, 300
  %64 = sub i32 %60, %63
  %65 = mul nsw i32 %59, 40
  %66 = add nsw i32 %65, %62
  %67 = mul nsw i32 %66, 300
  %68 = add nsw i32 %67, %64
  %69 = sext i32 %68 to i64
  %70 = getelementptr inbounds float, ptr %0, i64 %69
  %71 = load float, ptr %70, align 4, !tbaa !11
  %72 = fmul contract float %71, 5.000000e-01
  %73 = sext i32 %56 to i64
  %74 = getelementptr inbounds float, ptr %1, i64 %73
  store float %72, ptr %74, align 8, !tbaa !11
  br label %75

75:                                               ; preds = %58, %55
  %76 = or disjoint i32 %16, 3
  %77 = icmp slt i32 %76, 240000
  br i1 %77, label %78, label %95

78:                                               ; preds = %75
  %79 = sdiv i32 %76, 12000
  %80 = freeze i32 %76
  %81 = sdiv i32 %80, 300
  %82 = srem i32 %81, 40
  %83 = mul i32 %81, 300
  %84 = sub i32 %80, %83
  %85 = mul nsw i32 %79, 40
  %86 = add nsw i32 %85, %82
  %87 = mul nsw i32 %86, 300
  %88 = add nsw i32 %87, %84
  %89 = sext i32 %88 to i64
  %90 = getelementptr inbounds float, ptr %0, i64 %89
  %91 = load float, ptr %90, align 4, !tbaa !11
  %92 = fmul contract float %91, 5.000000e-01
  %93 = sext i32 %76 to i64
  %94 = getelementptr inbounds float, ptr %1, i64 %93
  store float %92, ptr %94, align 4, !tbaa !11
  br label %95

95:                                               ; preds = %78, %75
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write)
declare void @llvm.assume(i1 noundef) #1

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: readwrite)
define dso_local ptx_kernel void @four_elements_ideal(ptr noalias noundef readonly captures(none) %0, ptr noalias noundef writeonly captures(none) %1) local_unnamed_addr #2 {
  %3 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %4 = shl i32 %3, 7
  %5 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %6 = add i32 %4, %5
  %7 = icmp ugt i32 %6, 59999
  br i1 %7, label %26, label %8

8:                                                ; preds = %2
  %9 = zext nneg i32 %6 to i64
  %10 = getelementptr inbounds nuw %struct.float4, ptr %0, i64 %9
  %11 = load float, ptr %10, align 16, !tbaa !11
  %12 = getelementptr inbounds nuw i8, ptr %10, i64 4
  %13 = load float, ptr %12, align 4, !tbaa !11
  %14 = getelementptr inbounds nuw i8, ptr %10, i64 8
  %15 = load float, ptr %14, align 8, !tbaa !11
  %16 = getelementptr inbounds nuw i8, ptr %10, i64 12
  %17 = load float, ptr %16, align 4, !tbaa !11
  %18 = fmul contract float %11, 5.000000e-01
  %19 = fmul contract float %13, 5.000000e-01
  %20 = fmul contract float %15, 5.000000e-01
  %21 = fmul contract float %17, 5.000000e-01
  %22 = getelementptr inbounds nuw %struct.float4, ptr %1, i64 %9
  store float %18, ptr %22, align 16, !tbaa !11
  %23 = getelementptr inbounds nuw i8, ptr %22, i64 4
  store float %19, ptr %23, align 4, !tbaa !11
  %24 = getelementptr inbounds nuw i8, ptr %22, i64 8
  store float %20, ptr %24, align 8, !tbaa !11
  %25 = getelementptr inbounds nuw i8, ptr %22, i64 12
  store float %21, ptr %25, align 4, !tbaa !11
  br label %26

26:                                               ; preds = %2, %8
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #3

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #3

attributes #0 = { mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: readwrite, inaccessiblemem: write) "frame-pointer"="all" "no-trapping-math"="true" "nvvm.maxntid"="128" "stack-protector-buffer-size"="8" "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" "uniform-work-group-size"="true" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write) }
attributes #2 = { mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "nvvm.maxntid"="128" "stack-protector-buffer-size"="8" "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" "uniform-work-group-size"="true" }
attributes #3 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }

!llvm.module.flags = !{!0, !1, !2, !3}
!llvm.ident = !{!4, !5}
!llvm.errno.tbaa = !{!6}
!nvvmir.version = !{!10}

!0 = !{i32 2, !"SDK Version", [2 x i32] [i32 12, i32 9]}
!1 = !{i32 1, !"wchar_size", i32 4}
!2 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!3 = !{i32 7, !"frame-pointer", i32 2}
!4 = !{!"Debian clang version 22.1.8 (1~deb12u1)"}
!5 = !{!"clang version 3.8.0 (tags/RELEASE_380/final)"}
!6 = !{!7, !7, i64 0}
!7 = !{!"int", !8, i64 0}
!8 = !{!"omnipotent char", !9, i64 0}
!9 = !{!"Simple C++ TBAA"}
!10 = !{i32 2, i32 0}
!11 = !{!12, !12, i64 0}
!12 = !{!"float", !8, i64 0}
