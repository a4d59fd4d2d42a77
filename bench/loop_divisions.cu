// Three ways to divide by run-time values in loops and unrolled copies. NAME
// divides; NAME_carry is the same with digits carried from one index to the
// next by hand, starting from the digits of the first index and of the step.
// For bench/loop_divisions.py.

struct Divisor {
  unsigned Value, Reciprocal;
  // What index-reciprocals emits; transforms/reciprocal/Reciprocal.cpp has the
  // proof.
  __device__ explicit Divisor(unsigned D) : Value(D) {
    float Inverse;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(Inverse) : "f"(__uint2float_ru(D)));
    unsigned R =
        __float2uint_rz(__int_as_float(__float_as_int(Inverse) + 0x0ffffffe));
    R += __umulhi(R, -D * R);
    Reciprocal = ~(R * D) >= D ? R + 1 : R;
  }
};

struct Digits {
  unsigned Quotient, Remainder;
  __device__ Digits(unsigned X, Divisor D) {
    Quotient = __umulhi(X, D.Reciprocal);
    Remainder = X - Quotient * D.Value;
    if (Remainder >= D.Value)
      ++Quotient;
    Remainder = min(Remainder, Remainder - D.Value);
  }
};

// Adds Step, or Step + 1 with a carry, to a digit in base D; returns the carry.
__device__ bool advance(unsigned &Digit, unsigned Step, unsigned StepAndOne,
                        bool Carry, unsigned D) {
  Digit += Carry ? StepAndOne : Step;
  bool Overflows = Digit >= D;
  Digit = min(Digit, Digit - D);
  return Overflows;
}

extern "C" {

// One digit and its quotient.
__global__ void split(unsigned *Out, unsigned N, unsigned D, unsigned Step) {
  for (unsigned I = threadIdx.x; I < N; I += Step)
    Out[I] = I / D ^ I % D * 7;
}
__global__ void split_carry(unsigned *Out, unsigned N, unsigned D,
                            unsigned Step) {
  Divisor By(D);
  Digits X(threadIdx.x, By), S(Step, By);
  for (unsigned I = threadIdx.x; I < N; I += Step) {
    Out[I] = X.Quotient ^ X.Remainder * 7;
    bool Carry = advance(X.Remainder, S.Remainder, 0, false, D);
    X.Quotient += Carry ? S.Quotient + 1 : S.Quotient;
  }
}

// A remainder on its own.
__global__ void wrap(unsigned *Out, unsigned N, unsigned D, unsigned Step) {
  for (unsigned I = threadIdx.x; I < N; I += Step)
    Out[I] = I % D;
}
__global__ void wrap_carry(unsigned *Out, unsigned N, unsigned D,
                           unsigned Step) {
  Divisor By(D);
  Digits X(threadIdx.x, By), S(Step, By);
  for (unsigned I = threadIdx.x; I < N; I += Step) {
    Out[I] = X.Remainder;
    advance(X.Remainder, S.Remainder, 0, false, D);
  }
}

// Signs unknown: what most kernels have.
__global__ void split_signed(int *Out, int N, int D, int Step) {
  for (int I = blockIdx.x * blockDim.x + threadIdx.x; I < N; I += Step)
    Out[I] = I / D ^ I % D * 7;
}

// im2col: three digits, a mixed-radix counter.
__global__ void columns(unsigned *Out, unsigned N, unsigned W, unsigned H,
                        unsigned Step) {
  for (unsigned I = threadIdx.x; I < N; I += Step)
    Out[I] = I % W * 5 ^ I / W % H * 7 ^ I / W / H;
}
__global__ void columns_carry(unsigned *Out, unsigned N, unsigned W, unsigned H,
                              unsigned Step) {
  Divisor ByW(W), ByH(H);
  Digits X(threadIdx.x, ByW), Y(X.Quotient, ByH);
  Digits SX(Step, ByW), SY(SX.Quotient, ByH);
  for (unsigned I = threadIdx.x; I < N; I += Step) {
    Out[I] = X.Remainder * 5 ^ Y.Remainder * 7 ^ Y.Quotient;
    bool C = advance(X.Remainder, SX.Remainder, 0, false, W);
    C = advance(Y.Remainder, SY.Remainder, SY.Remainder + 1, C, H);
    Y.Quotient += C ? SY.Quotient + 1 : SY.Quotient;
  }
}

// 64 bits, nothing known of the numbers.
__global__ void split64(unsigned long long *Out, unsigned long long N,
                        unsigned long long D, unsigned long long Step) {
  for (unsigned long long I = threadIdx.x; I < N; I += Step)
    Out[I] = I / D ^ I % D * 7;
}
__global__ void split64_carry(unsigned long long *Out, unsigned long long N,
                              unsigned long long D, unsigned long long Step) {
  unsigned long long Q = threadIdx.x / D, R = threadIdx.x % D;
  unsigned long long SQ = Step / D, SR = Step % D;
  for (unsigned long long I = threadIdx.x; I < N; I += Step) {
    Out[I] = Q ^ R * 7;
    R += SR;
    bool Carry = R >= D;
    R = Carry ? R - D : R;
    Q += Carry ? SQ + 1 : SQ;
  }
}

} // extern "C"

// A strided slice, unrolled, each copy behind its guard.
template <int Copies>
__device__ void slice(float *Out, const float *In, unsigned N, unsigned W,
                      unsigned H, unsigned Pitch) {
  unsigned First = blockIdx.x * (Copies * 128u) + threadIdx.x;
#pragma unroll
  for (unsigned K = 0; K < Copies; ++K) {
    unsigned I = First + K * 128;
    if (I < N)
      Out[I] = In[(I / W / H * Pitch + I / W % H) * Pitch + I % W];
  }
}
template <int Copies>
__device__ void sliceCarry(float *Out, const float *In, unsigned N, unsigned W,
                           unsigned H, unsigned Pitch) {
  unsigned First = blockIdx.x * (Copies * 128u) + threadIdx.x;
  Divisor ByW(W), ByH(H);
  Digits X(First, ByW), Y(X.Quotient, ByH);
  Digits SX(128, ByW), SY(SX.Quotient, ByH);
#pragma unroll
  for (unsigned K = 0; K < Copies; ++K) {
    unsigned I = First + K * 128;
    if (K > 0) {
      bool C = advance(X.Remainder, SX.Remainder, 0, false, W);
      C = advance(Y.Remainder, SY.Remainder, SY.Remainder + 1, C, H);
      Y.Quotient += C ? SY.Quotient + 1 : SY.Quotient;
    }
    if (I < N)
      Out[I] = In[(Y.Quotient * Pitch + Y.Remainder) * Pitch + X.Remainder];
  }
}

#define SLICE(COPIES)                                                          \
  extern "C" __global__ void slice##COPIES(float *Out, const float *In,        \
                                           unsigned N, unsigned W, unsigned H, \
                                           unsigned Pitch) {                   \
    slice<COPIES>(Out, In, N, W, H, Pitch);                                    \
  }                                                                            \
  extern "C" __global__ void slice##COPIES##_carry(                            \
      float *Out, const float *In, unsigned N, unsigned W, unsigned H,         \
      unsigned Pitch) {                                                        \
    sliceCarry<COPIES>(Out, In, N, W, H, Pitch);                               \
  }
SLICE(4)
SLICE(16)
SLICE(64)
