"""The launches of cuda_samples/loops: shapes of networks and of simulations.

The loops have 8 to 1,024 iterations. A kernel that computes much more than it reads,
or reads what lies far apart, would take tens of milliseconds with 512 MB: `largest`
keeps a launch to about 5 ms. With 64 MB or more the largest size is still one that
does not stay in L2; with less, the kernel has no such size.
"""

from sample import loops

MB = 1 << 20

PRODUCTS = [
    loops("matmul", "matmul", "32,2*B,1",
          "in:f32:{B*32*512},in:f32:{512*512},out:f32:{B*32*512},i32:{B*32},"
          "i32:512,i32:512", block=(16, 16), is_grid=True, largest=128 * MB),
    loops("matmul_flat", "matmul", "B*32*512",
          "in:f32:{B*32*512},in:f32:{512*512},out:f32:{B*32*512},i32:{B*32},"
          "i32:512,i32:512", largest=128 * MB),
    loops("matmul_i64", "matmul", "B*32*512",
          "in:f32:{B*32*512},in:f32:{512*512},out:f32:{B*32*512},i64:{B*32},"
          "i64:512,i64:512", largest=128 * MB),
    loops("matmul_strided", "matmul", "32,2*B,1",
          "i32:512,i32:{B*32},i32:512,f32:1.5,in:f32:{512*512},i32:512,"
          "in:f32:{B*32*512},i32:512,f32:0.25,inout:f32:{B*32*512},i32:512",
          block=(16, 16), is_grid=True, largest=128 * MB),
    # Neighbours read rows of 256 bytes each.
    loops("matmul_transposed", "matmul", "B*32*512",
          "in:f32:{B*32*64},in:f32:{512*64},out:f32:{B*32*512},i32:{B*32},"
          "i32:512,i32:64", largest=64 * MB),
    loops("matmul_tiled", "matmul_tiled", "32,2*B,1",
          "in:f32:{B*32*512},in:f32:{512*512},out:f32:{B*32*512},i32:{B*32},"
          "i32:512,i32:512", block=(16, 16), is_grid=True, largest=128 * MB),
    loops("matmul_rows8", "matmul_tiled", "16,B,1",
          "in:f32:{B*32*512},in:f32:{512*512},out:f32:{B*32*512},i32:{B*32},"
          "i32:512,i32:512", block=128, is_grid=True, largest=128 * MB),
    # Attention: the weights of 128 positions by their values.
    loops("matmul_batch_z", "matmul_batched", "N/32,M/8,B",
          "in:f32:{B*M*K},in:f32:{B*K*N},out:f32:{B*M*N},i32:{M},i32:{N},i32:{K},"
          "i64:{M*K},i64:{K*N},i64:{M*N}", M=128, N=64, K=128, block=(32, 8),
          is_grid=True),
    loops("matmul_batch_flat", "matmul_batched", "B*M*N",
          "i32:{B*M*N},in:f32:{B*M*K},in:f32:{B*K*N},out:f32:{B*M*N},i32:{M},"
          "i32:{N},i32:{K}", M=128, N=64, K=128),
    loops("matmul_heads", "matmul_batched", "4*B*R*R",
          "in:f32:{4*B*R*D},in:f32:{B*R*D},out:f32:{4*B*R*R},u64:{4*B},u64:4,"
          "u64:{R},u64:{R},u64:{D},f32:0.125", R=128, D=64, largest=64 * MB),
]

STENCILS = [
    loops("laplace_planes", "stencil", "8,B,1",
          "in:f32:{X*Y*Z},in:f32:{X*Y*Z},out:f32:{X*Y*Z},i32:{X},i32:{Y},i32:{Z}",
          X=258, Y="8*B+2", Z=16, block=(32, 8), is_grid=True),
    loops("star3d", "stencil", "8,B,1",
          "in:f32:{X*Y*Z},out:f32:{X*Y*Z},in:f32:5,i32:{X},i32:{Y},i32:{Z}",
          X=264, Y="8*B+8", Z=40, block=(32, 8), is_grid=True),
    loops("box_blur", "stencil", "B*8*640*3",
          "in:f32:{B*8*640*3},out:f32:{B*8*640*3},i32:640,i32:{B*8},i32:3,i32:2"),
    loops("heat_torus", "stencil_wrap", "8,B,1",
          "in:f64:{X*Y*Z},out:f64:{X*Y*Z},i32:{X},i32:{Y},i32:{Z},f64:0.125",
          X=256, Y="8*B", Z=16, block=(32, 8), is_grid=True),
    loops("life_wrap", "stencil_wrap", "B*8*1024",
          "in:u8:{B*8*1024},out:u8:{B*8*1024},i32:1024,i32:{B*8}",
          largest=256 * MB),
]

CONVOLUTIONS = [
    loops("conv2d", "conv", "B*32*26*26",
          "i32:{B*32*26*26},in:f32:{B*16*28*28},in:f32:{32*16*9},"
          "out:f32:{B*32*26*26},i32:16,i32:28,i32:28,i32:32,i32:26,i32:26,i32:3,"
          "i32:1,i32:0", largest=128 * MB),
    loops("conv2d_grouped", "conv", "B*32*28*28",
          "in:f32:{B*32*30*30},in:f32:{32*8*9},in:f32:32,out:f32:{B*32*28*28},"
          "i32:{B},i32:32,i32:30,i32:32,i32:4,i32:3", largest=256 * MB),
    # Neighbours read weights that are 576 bytes apart.
    loops("conv2d_nhwc", "conv", "B*28*28*32",
          "i32:{B*28*28*32},in:f32:{B*32*32*16},in:f32:{32*9*16},"
          "out:f32:{B*28*28*32},i32:32,i32:32,i32:16,i32:28,i32:28,i32:32,i32:3,"
          "i32:2", largest=64 * MB),
    # A thread sums over all images: more bytes make no more threads.
    loops("conv2d_weight_grad", "conv", "64*64*9",
          "in:f32:{B*64*28*28},in:f32:{B*64*26*26},out:f32:{64*64*9},i32:{B},"
          "i32:64,i32:28,i32:64,i32:3", largest=16 * MB),
    loops("depthwise3x3", "conv_depthwise", "B*C*H*W",
          "i32:{B*C*H*W},in:f32:{B*C*H*W},in:f32:{9*C},out:f32:{B*C*H*W},i32:{C},"
          "i32:{H},i32:{W}", C=32, H=56, W=56),
    loops("depthwise_nhwc", "conv_depthwise", "B*28*28*C",
          "in:f32:{B*57*57*C},in:f32:{9*C},out:f32:{B*28*28*C},u32:{B*28*28*C},"
          "u32:57,u32:57,u32:{C},u32:28,u32:28,u32:3,u32:2", C=32),
    loops("causal_conv1d", "conv_depthwise", "B*C*T",
          "in:f32:{B*C*T},in:f32:{4*C},out:f32:{B*C*T},i64:{B},i64:{C},i64:{T},"
          "i32:4", C=64, T=512),
    loops("conv_transpose", "conv_depthwise", "B*P*56*56",
          "i32:{B*P*56*56},in:f32:{B*P*28*28},in:f32:16,out:f32:{B*P*56*56},i32:28,"
          "i32:28,i32:56,i32:56,i32:4,i32:2,i32:1", P=16),
]

REDUCTIONS = [
    loops("sum_middle", "reduce_axis", "B*256",
          "in:f32:{B*64*256},out:f32:{B*256},i32:{B},i32:64,i32:256"),
    loops("mean_middle", "reduce_axis", "B*256",
          "in:f32:{B*64*256},out:f32:{B*256},u64:{B},u64:64,u64:256"),
    loops("argmax_middle", "reduce_axis", "B*256",
          "i32:{B*256},in:f32:{B*64*256},out:i32:{B*256},i32:64,i32:256"),
    loops("sum_spatial", "reduce_axis", "B*512",
          "in:f32:{B*49*512},out:f64:{2*B*512},u32:{B},u32:49,u32:512"),
    loops("column_sum", "reduce_columns", "(B+7)//8,8,1",
          "in:f32:{128*256*B},inout:f32:{256*B},i32:128,i32:{256*B}", is_grid=True),
    loops("column_max", "reduce_columns", "256*B",
          "in:f64:{128*256*B},out:f64:{256*B},i32:128,i32:{256*B}"),
    loops("column_bands", "reduce_columns", "4,B,1",
          "in:f32:{64*B*1024},out:f32:{B*1024},i32:{64*B},i32:1024,i32:64",
          is_grid=True),
    loops("channel_sum", "reduce_columns", "B*784",
          "i32:{B},i32:64,i32:784,in:f32:{B*64*784},out:f32:{B*784}"),
    loops("row_sum", "reduce_block", "B,1,1", "in:f32:{B*768},out:f32:{B},i32:768",
          block=128, is_grid=True),
    loops("channel_statistics", "reduce_block", "B,1,1",
          "in:f32:{16*B*196},out:f32:{B},out:f32:{B},i32:16,i32:{B},i32:196",
          block=128, is_grid=True),
]

POOLING = [
    loops("max_pool2d", "pooling", "B*C*28*28",
          "i32:{B*C*28*28},in:f32:{B*C*56*56},out:f32:{B*C*28*28},"
          "out:i32:{B*C*28*28},i32:{C},i32:56,i32:56,i32:28,i32:28,i32:3,i32:2,"
          "i32:1", C=64),
    loops("avg_pool_nhwc", "pooling", "B*28*28*C",
          "i32:{B*28*28*C},in:f32:{B*57*57*C},out:f32:{B*28*28*C},i32:57,i32:57,"
          "i32:{C},i32:28,i32:28,i32:3,i32:2", C=64),
    loops("adaptive_avg_pool", "pooling", "B*P*7*7",
          "i32:{B*P*7*7},in:f32:{B*P*30*30},out:f32:{B*P*7*7},i32:30,i32:30,i32:7,"
          "i32:7", P=16),
    loops("max_pool3d", "pooling", "B*8*28*28",
          "in:f32:{B*17*57*57},out:f32:{B*8*28*28},i32:{B},i32:17,i32:57,i32:57,"
          "i32:3,i32:2"),
    loops("avg_pool_grad", "pooling", "B*P*56*56",
          "i32:{B*P*56*56},in:f32:{B*P*27*27},out:f32:{B*P*56*56},i32:56,i32:56,"
          "i32:27,i32:27,i32:3,i32:2", P=16),
]

# Sequences, bags and rows have 32 or 16 elements each, so that their offsets are
# steps; the kernels read the offsets all the same.
INDEXED = [
    loops("embedding_bag", "gather", "8*B*D",
          "in:f32:{64*B*D},in:i32:{8*B*32}:0:{64*B-1},steps:i32:{8*B+1}:0:32,"
          "out:f32:{8*B*D},i32:{8*B},i32:{D}", D=64),
    loops("gather_runs", "gather", "B*64*16",
          "in:f32:{B*128*64},in:i64:64:0:127,out:f32:{B*64*64},i64:{B},i64:128,"
          "i64:64,i64:64,i64:4", moved="2*B*64*64"),
    loops("scatter_columns", "gather", "256*B",
          "in:i32:128:0:31,in:f32:{128*256*B},inout:f32:{32*256*B},i32:128,"
          "i32:{256*B}"),
    loops("ragged_mean", "ragged", "B*D",
          "in:f32:{B*32*D},steps:i32:{B+1}:0:32,out:f32:{B*D},i32:{B},i32:{D}",
          D=64),
    loops("ragged_to_padded", "ragged", "B,1,1",
          "in:f32:{B*32*D},steps:i32:{B+1}:0:32,out:f32:{B*48*D},i32:48,i32:{D}",
          D=64, is_grid=True),
    loops("sparse_product", "ragged", "64*B*V",
          "steps:i32:{64*B+1}:0:16,in:i32:{64*B*16}:0:{64*B-1},in:f32:{64*B*16},"
          "in:f32:{64*B*V},out:f32:{64*B*V},i32:{64*B},i32:{V}", V=16),
    # Values are positive: the kernel takes them modulo its bins.
    loops("histogram_block", "histogram", "B,1,1",
          "in:i32:{4096*B}:0:255,inout:u32:64,i32:{4096*B}", is_grid=True),
    # All pixels share 768 counters in global memory.
    loops("histogram_channels", "histogram", "3*B,1,1",
          "in:u8:{3*1024*B},inout:u32:768,u32:{1024*B},u32:3,u32:256", is_grid=True,
          largest=16 * MB),
]

NORMALISATION = [
    loops("cumsum_axis", "scan", "B*256",
          "in:f32:{B*64*256},out:f32:{B*64*256},i32:{B},i32:64,i32:256"),
    loops("scan_rows", "scan", "B,1,1", "in:i32:{B*1024},out:i32:{B*1024},i32:1024",
          block=64, is_grid=True),
    loops("softmax_axis", "softmax", "B*256",
          "in:f32:{B*64*256},out:f32:{B*64*256},i32:{B},i32:64,i32:256"),
    loops("softmax_grad", "softmax", "B*256",
          "in:f32:{B*64*256},in:f32:{B*64*256},out:f32:{B*64*256},u64:{B},u64:64,"
          "u64:256"),
    # A thread walks over a row: neighbours read what lies 512 bytes apart.
    loops("softmax_masked", "softmax", "B*8*128",
          "inout:f32:{B*8*128*128},in:i32:{B*128*128}:0:1,i32:{B},i32:8,i32:128,"
          "i32:128", largest=128 * MB),
    loops("layer_norm_channels", "norm", "B*256",
          "in:f32:{B*64*256},in:f32:64,in:f32:64,out:f32:{B*64*256},i32:{B},i32:64,"
          "i32:256,f32:0.001"),
    loops("group_scale", "norm", "B*8*784",
          "in:f32:{B*64*784},in:f32:{B*8},in:f32:{B*8},in:f32:64,"
          "out:f32:{B*64*784},i32:{B},i32:64,i32:784,i32:8"),
    loops("response_norm", "norm", "B*64*28*28",
          "i32:{B*64*28*28},in:f32:{B*64*28*28},out:f32:{B*64*28*28},i32:64,i32:28,"
          "i32:28,i32:5,f32:0.0001"),
]

WINDOWS = [
    loops("upsample_bilinear", "upsample", "8*B*512",
          "in:f32:{16*2*B*128},out:f32:{16*8*B*512},i32:2,i32:8,i32:{2*B},i32:128,"
          "i32:{8*B},i32:512,f32:0.25,f32:0.25"),
    loops("upsample_nearest_grad", "upsample", "B*P*28*28",
          "i32:{B*P*28*28},in:f32:{B*P*56*56},out:f32:{B*P*28*28},i32:28,i32:28,"
          "i32:2", P=16),
    # Neighbours write rows of 256 bytes each.
    loops("upscale_bytes", "upsample", "B*16*56",
          "in:f32:{B*16*28*32},out:f32:{B*16*56*64},i32:4,i32:{32*4},i32:{28*32*4},"
          "i32:{16*28*32*4},i32:64,i32:56,i32:16,i32:{B},f32:2,f32:2,f32:1,f32:1",
          largest=256 * MB),
    loops("im2col_window", "im2col", "B*H*W",
          "i32:{B*H*W},in:f32:{B*H*W},out:f32:{9*B*H*W},i32:{H},i32:{W},i32:3,"
          "i32:1,i32:1,i32:1,i32:{H},i32:{W}", H=56, W=56,
          title="im2col_window_loop"),
    loops("col2im_sum", "im2col", "B*H*W",
          "i32:{B*H*W},in:f32:{9*B*H*W},out:f32:{B*H*W},i32:{H},i32:{W},i32:3,"
          "i32:1,i32:1,i32:{H},i32:{W}", H=56, W=56),
    loops("im2col_axes", "im2col", "B*8*28*28",
          "i32:{B*8*28*28},in:f32:{B*8*28*28},out:f32:{27*B*8*28*28},"
          "values:i32:3:8;28;28,values:i32:3:3,values:i32:3:8;28;28,"
          "values:i32:3:1"),
    loops("offset_pairs", "digit_windows", "B*4*28*28",
          "i32:{B*4*28*28},in:f32:{B*4*18*28*28},out:f32:{B*4*28*28},i32:28,i32:28,"
          "i32:{B},i32:4,i32:3"),
    loops("regroup_frames", "digit_windows", "(49*B+7)//8,8,1",
          "i32:{B*16*28*28},in:f32:{8*B*16*28*28},out:f32:{8*B*16*28*28},i32:28,"
          "i32:28,i32:16,i32:8", is_grid=True),
    # Three divisions and two gathers in each of 16 levels. With these bounds no
    # product exceeds 31 bits.
    loops("hash_levels", "digit_windows", "1024*B",
          "i32:{1024*B},in:f32:{16*4096},out:f32:{1024*B},in:i32:48:16:512,"
          "in:i32:6:1:100,i32:16,i32:4096", largest=16 * MB),
]

TRIANGLES = [
    # A small lower triangle, so that no solution grows.
    loops("solve_lower", "triangle", "256*B",
          "in:f64:{64*64}:-0.1:0.1,inout:f64:{64*256*B},i32:64,i32:{256*B}",
          largest=128 * MB),
    # N*N elements and N threads.
    loops("packed_product", "triangle", "N",
          "in:f32:{N*(N+1)//2},in:f32:{N},out:f32:{N},i32:{N}", N="64*B**0.5",
          largest=64 * MB),
    loops("causal_values", "triangle", "B*R*D",
          "in:f32:{B*R*R},in:f32:{B*R*D},out:f32:{B*R*D},i32:{B},i32:{R},i32:{D}",
          R=128, D=64),
]

TENSORS = [
    loops("copy_strided4", "strided_tensor", "B*A*C*D",
          "in:f32:{B*A*C*D},struct:i32:{B};{A};{C};{D};{A*C*D};{C*D};{D};1,"
          "out:f32:{B*A*C*D},struct:i32:{B};{A};{C};{D};{A*C*D};{D};{A*D};1,"
          "i32:{B*A*C*D}", A=28, C=12, D=64),
    loops("sum_strided", "strided_tensor", "B*16*784",
          "in:f32:{B*16*8*784},struct:i64:4;{B};16;28;28;1;{16*8*784};{8*784};28;1;0,"
          "i64:8,i64:784,out:f32:{B*16*784},i64:{B*16*784}"),
    loops("add_channel_bias", "strided_tensor", "B*64*784/4",
          "inout:f32:{B*64*784},in:f32:64,u32:{B*64*784},u32:64,u32:784"),
    loops("add_row_bands", "tiles", "8,B,1",
          "in:f32:{16*B*1024},in:f32:{16*B*1024},out:f32:{16*B*1024},i32:1024",
          block=128, is_grid=True),
    loops("transpose_tile", "tiles", "32,B,1",
          "in:f32:{32*B*1024},out:f32:{32*B*1024},i32:{32*B},i32:1024",
          block=(32, 8), is_grid=True),
    loops("dequantised_product", "tiles", "256*B",
          "in:i8:{256*B*512},in:f32:{256*B*16},in:f32:512,out:f32:{256*B},"
          "i32:{256*B},i32:512", largest=256 * MB),
    loops("untile4x4", "tiles", "1024*B",
          "in:f32:{16*1024*B},out:f32:{16*1024*B},i32:64,i32:{B},i32:16"),
    # A grid of an eighth of the volume, so that two of the loops run.
    loops("scale_volume", "grid_loops", "4,8,(B+7)//8",
          "inout:f32:{128*128*B},in:f32:128,in:f32:128,in:f32:{B},i32:128,i32:128,"
          "i32:{B}", block=(32, 4, 2), is_grid=True),
    loops("permute_nhwc", "grid_loops", "B*64*28*28/4",
          "i32:{B*64*28*28},in:f32:{B*64*28*28},out:f32:{B*64*28*28},i32:64,i32:28,"
          "i32:28"),
    # Neighbours read points that are 128 bytes apart.
    loops("pair_distances", "grid_loops", "N*N",
          "in:f32:{32*N},out:f32:{N*N},u64:{N},i32:32", N="64*B**0.5",
          largest=64 * MB),
]

LOOPS = [*PRODUCTS, *STENCILS, *CONVOLUTIONS, *REDUCTIONS, *POOLING, *INDEXED,
         *NORMALISATION, *WINDOWS, *TRIANGLES, *TENSORS]
