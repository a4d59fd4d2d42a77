//===- ComplexFunctions.cpp - Code for operations on complex numbers ------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Formulas, z = x + iy. None of them subtracts numbers that are almost equal,
// unless what is lost is small beside the other part of the result. Those of
// textbooks are in
//
//   [K] W. Kahan, Branch Cuts for Complex Elementary Functions, 1987
//   [S] R. L. Smith, Algorithm 116: Complex Division, CACM 5, 1962
//   [A] Abramowitz and Stegun, Handbook of Mathematical Functions, chapter 4
//
// and where one was made from them, the steps are beside it.
//
//===----------------------------------------------------------------------===//

#include "frontend/emit/ComplexFunctions.h"
#include "frontend/emit/ElementEmitter.h"
#include <functional>
#include <memory>

using namespace llvm;

namespace unravel {

//===----------------------------------------------------------------------===//
// Notation
//===----------------------------------------------------------------------===//

namespace {
using Builder = IRBuilderBase;
using Operands = ArrayRef<Value *>;

/// A float or a double, so that formulas look like formulas; or a condition.
///
/// An operator adds no code but a node with its operands, as C++ leaves open
/// which of them is evaluated first, and code must not depend on who compiled
/// this. emit() goes from left to right.
class Real {
  using Maker = std::function<Value *(Builder &, Operands)>;
  struct Node {
    Builder *B;
    Type *Ty; ///< of the first operand, if it is a condition
    std::vector<Real> Operands;
    Maker Make;
    Value *V = nullptr;
  };

public:
  Real(Builder &B, Value *V) : N(std::make_shared<Node>()) {
    N->B = &B;
    N->V = V;
    N->Ty = V->getType();
  }
  Real(std::initializer_list<Real> Operands, Maker Make)
      : N(std::make_shared<Node>()) {
    N->B = Operands.begin()->N->B;
    N->Ty = Operands.begin()->N->Ty;
    N->Operands = Operands;
    N->Make = std::move(Make);
  }

  Value *emit() const {
    if (!N->V) {
      SmallVector<Value *, 3> Values;
      for (const Real &Operand : N->Operands)
        Values.push_back(Operand.emit());
      N->V = N->Make(*N->B, Values);
    }
    return N->V;
  }
  /// A constant of the same type.
  Real number(double X) const { return {*N->B, ConstantFP::get(N->Ty, X)}; }
  Real infinity() const { return {*N->B, ConstantFP::getInfinity(N->Ty)}; }

private:
  std::shared_ptr<Node> N;
};

struct Complex {
  Real Re, Im;
};
} // namespace

static Real binary(Instruction::BinaryOps Opcode, Real X, Real Y) {
  return {{X, Y}, [=](Builder &B, Operands V) {
            return B.CreateBinOp(Opcode, V[0], V[1]);
          }};
}
static Real operator+(Real X, Real Y) {
  return binary(Instruction::FAdd, X, Y);
}
static Real operator-(Real X, Real Y) {
  return binary(Instruction::FSub, X, Y);
}
static Real operator*(Real X, Real Y) {
  return binary(Instruction::FMul, X, Y);
}
static Real operator/(Real X, Real Y) {
  return binary(Instruction::FDiv, X, Y);
}
static Real operator+(double X, Real Y) { return Y.number(X) + Y; }
static Real operator*(double X, Real Y) { return Y.number(X) * Y; }
static Real operator-(Real X) {
  return {{X}, [](Builder &B, Operands V) { return B.CreateFNeg(V[0]); }};
}

/// \p Function is a literal.
static Real call(const char *Function, Real X) {
  return {{X},
          [=](Builder &B, Operands V) { return callMath(B, Function, V); }};
}
static Real call(const char *Function, Real X, Real Y) {
  return {{X, Y},
          [=](Builder &B, Operands V) { return callMath(B, Function, V); }};
}
static Real intrinsic(Intrinsic::ID ID, Real X) {
  return {{X}, [=](Builder &B, Operands V) {
            return B.CreateUnaryIntrinsic(ID, V[0]);
          }};
}
static Real intrinsic(Intrinsic::ID ID, Real X, Real Y) {
  return {{X, Y}, [=](Builder &B, Operands V) {
            return B.CreateBinaryIntrinsic(ID, V[0], V[1]);
          }};
}
static Real magnitude(Real X) { return intrinsic(Intrinsic::fabs, X); }
static Real squareRoot(Real X) { return intrinsic(Intrinsic::sqrt, X); }
static Real larger(Real X, Real Y) {
  return intrinsic(Intrinsic::maxnum, X, Y);
}
static Real smaller(Real X, Real Y) {
  return intrinsic(Intrinsic::minnum, X, Y);
}
static Real withSign(Real X, Real Sign) {
  return intrinsic(Intrinsic::copysign, X, Sign);
}

static Real compare(CmpInst::Predicate Predicate, Real X, Real Y) {
  return {{X, Y}, [=](Builder &B, Operands V) {
            return B.CreateFCmp(Predicate, V[0], V[1]);
          }};
}
static Real isLess(Real X, Real Y) { return compare(CmpInst::FCMP_OLT, X, Y); }
static Real isLess(Real X, double Y) { return isLess(X, X.number(Y)); }
static Real isGreater(Real X, double Y) { return isLess(X.number(Y), X); }
static Real isZero(Real X) {
  return compare(CmpInst::FCMP_OEQ, X, X.number(0));
}
static Real both(Real A, Real B) { return binary(Instruction::And, A, B); }
static Real isZero(Complex Z) { return both(isZero(Z.Re), isZero(Z.Im)); }
static Real select(Real If, Real X, Real Y) {
  return {{If, X, Y}, [](Builder &B, Operands V) {
            return B.CreateSelect(V[0], V[1], V[2]);
          }};
}
static Complex select(Real If, Complex X, Complex Y) {
  return {select(If, X.Re, Y.Re), select(If, X.Im, Y.Im)};
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

static Complex multiply(Complex X, Complex Y) {
  return {X.Re * Y.Re - X.Im * Y.Im, X.Re * Y.Im + X.Im * Y.Re};
}

/// [S]: with r = y.small / y.large, both parts are divided by y.large, so that
/// no square leaves the range. A zero divides each part.
static Complex divide(Complex X, Complex Y) {
  Real Swap = isLess(magnitude(Y.Re), magnitude(Y.Im));
  Real Large = select(Swap, Y.Im, Y.Re), Small = select(Swap, Y.Re, Y.Im);
  Real Ratio = Small / Large, Divisor = Large + Small * Ratio;
  Real U = select(Swap, X.Im, X.Re), V = select(Swap, X.Re, X.Im);
  Real Im = (V - U * Ratio) / Divisor;
  Complex Quotient = {(U + V * Ratio) / Divisor, select(Swap, -Im, Im)};
  return select(isZero(Large), {X.Re / Y.Re, X.Im / Y.Re}, Quotient);
}

/// z / |z|; by the larger part first, as |z| may leave the range. 0 stays.
static Complex sign(Complex Z) {
  Real Size = larger(magnitude(Z.Re), magnitude(Z.Im));
  Real Re = Z.Re / Size, Im = Z.Im / Size;
  Real Rest = squareRoot(Re * Re + Im * Im); // from 1 to 1.5
  return select(isZero(Z), Z, {Re / Rest, Im / Rest});
}

//===----------------------------------------------------------------------===//
// Roots
//===----------------------------------------------------------------------===//

/// [K], [A]: w = sqrt((|x| + |z|) / 2) is one part, and as the product of the
/// parts is y / 2, the other one is y / 2w. With m and n the larger and the
/// smaller one of |x| and |y|, and r = n / m, |z| is m sqrt(1 + r^2), and w is
/// sqrt(m) sqrt((|x| / m + sqrt(1 + r^2)) / 2).
static Complex squareRoot(Complex Z) {
  Real X = magnitude(Z.Re), Y = magnitude(Z.Im);
  Real IsSteep = isLess(X, Y);
  Real Size = larger(X, Y), Ratio = smaller(X, Y) / Size;
  Real First = select(IsSteep, Ratio, X.number(1));
  Real W = squareRoot(Size) *
           squareRoot(0.5 * (First + squareRoot(1 + Ratio * Ratio)));
  Real Other = Y / (2 * W);
  Complex Root = select(isLess(Z.Re, 0), {Other, W}, {W, Other});
  Root = select(isZero(Z), {X.number(0), X.number(0)}, Root);
  // An infinite y, whatever x is.
  Real Infinity = X.infinity();
  Root = select(compare(CmpInst::FCMP_OEQ, Y, Infinity), {Infinity, Infinity},
                Root);
  return {Root.Re, withSign(Root.Im, Z.Im)};
}

/// cbrt(|z|) and a third of the angle, which is in [-pi / 3, pi / 3]. |z| is
/// formed an eighth, or eight times, as large, which makes half, or twice, the
/// root.
static Complex cubeRoot(Complex Z) {
  Real IsLarge = isGreater(larger(magnitude(Z.Re), magnitude(Z.Im)), 1);
  Real Scale = select(IsLarge, Z.Re.number(0.125), Z.Re.number(8));
  Real Back = select(IsLarge, Z.Re.number(2), Z.Re.number(0.5));
  Real Root = Back * call("cbrt", call("hypot", Scale * Z.Re, Scale * Z.Im));
  Real Angle = call("atan2", Z.Im, Z.Re) / Z.Re.number(3);
  return {Root * call("cos", Angle), Root * call("sin", Angle)};
}

//===----------------------------------------------------------------------===//
// Exponential and logarithm
//===----------------------------------------------------------------------===//

/// [A]: e^x cos y + i e^x sin y. Where e^x is too large, its product
/// with a small number may be not.
static Complex exponential(Complex Z) {
  Real Root = call("exp", 0.5 * Z.Re);
  Real Im = Root * call("sin", Z.Im) * Root;
  return {Root * call("cos", Z.Im) * Root, select(isZero(Z.Im), Z.Im, Im)};
}

/// e^x cos y - 1 = (e^x - 1) cos y - (1 - cos y), and 1 - cos y is 2 sin^2(y /
/// 2) by [A]. That 1 is nothing beside e^40.
static Complex exponentialMinusOne(Complex Z) {
  Complex Exponential = exponential(Z);
  Real Sine = call("sin", 0.5 * Z.Im);
  Real Small = call("expm1", Z.Re) * call("cos", Z.Im) - 2 * (Sine * Sine);
  return {select(isGreater(Z.Re, 40), Exponential.Re, Small), Exponential.Im};
}

/// log(|z|). [K]: if |z| is about 1, log1p(|z|^2 - 1) / 2, and |z|^2 - 1 is (m
/// - 1) (m + 1) + n^2 for the parts m and n, of which m is the larger one.
/// Elsewhere the logarithm is not small; half of |z| is no infinity.
static Real logOfMagnitude(Complex Z) {
  Real X = magnitude(Z.Re), Y = magnitude(Z.Im);
  Real M = larger(X, Y), N = smaller(X, Y);
  Real Near = 0.5 * call("log1p", (-1 + M) * (1 + M) + N * N);
  Real IsLarge = isGreater(M, 1);
  Real Scale = select(IsLarge, X.number(0.5), X.number(1));
  Real Log2 = select(IsLarge, X.number(0.69314718055994530942), X.number(0));
  Real Far = call("log", call("hypot", Scale * X, Scale * Y)) + Log2;
  Real IsNear = both(isGreater(M, 0.5), isLess(M, 2));
  return select(IsNear, Near, Far);
}

/// [A]
static Complex logarithm(Complex Z) {
  return {logOfMagnitude(Z), call("atan2", Z.Im, Z.Re)};
}

/// |1 + z|^2 - 1 = x (2 + x) + y^2, where z is small.
static Complex logOnePlus(Complex Z) {
  Real IsSmall = isLess(larger(magnitude(Z.Re), magnitude(Z.Im)), 0.5);
  Real Near = 0.5 * call("log1p", Z.Re * (2 + Z.Re) + Z.Im * Z.Im);
  Complex Sum = {1 + Z.Re, Z.Im};
  return {select(IsSmall, Near, logOfMagnitude(Sum)),
          call("atan2", Sum.Im, Sum.Re)};
}

/// [A]: e^(w log z). Zero to a number with a real part that is not 0 is what it
/// is to that part alone; and z^0 is 1 for all z.
static Complex power(Complex Z, Complex W) {
  Complex Power = exponential(multiply(W, logarithm(Z)));
  Real Zero = Z.Re.number(0), One = Z.Re.number(1);
  Real IsOfZero = both(isZero(Z), compare(CmpInst::FCMP_ONE, W.Re, Zero));
  Real OfZero = select(isLess(W.Re, 0), One / Zero, Zero);
  Power = select(IsOfZero, {OfZero, Zero}, Power);
  return select(isZero(W), {One, Zero}, Power);
}

//===----------------------------------------------------------------------===//
// Functions with e^z and e^-z
//===----------------------------------------------------------------------===//

namespace {
/// Products with cosh y and sinh |y|. With E = e^|y| - 1, these are 1 + E^2 /
/// 2(E + 1) and (E + E / (E + 1)) / 2, as (e^y + e^-y) / 2 and its like say.
/// From |y| = 20 on, both are e^|y| / 2, which may be too large where the
/// product is not. Zero times that is zero.
struct HyperbolicFactors {
  explicit HyperbolicFactors(Real Y)
      : IsLarge(isGreater(magnitude(Y), 20)),
        Root(call("exp", 0.5 * magnitude(Y))),
        Rest(call("expm1", magnitude(Y))) {}

  Real timesCosh(Real X) const {
    Real Cosh = 1 + Rest * Rest / (2 * (1 + Rest));
    return select(IsLarge, timesHalfPower(X), X * Cosh);
  }
  Real timesSinh(Real X) const {
    Real Sinh = 0.5 * (Rest + Rest / (1 + Rest));
    return select(IsLarge, timesHalfPower(X), X * Sinh);
  }

private:
  Real timesHalfPower(Real X) const {
    return select(isZero(X), X, 0.5 * Root * X * Root);
  }

  Real IsLarge;
  Real Root, Rest;
};
} // namespace

/// [A]: cos x cosh y - i sin x sinh y
static Complex cosine(Complex Z) {
  HyperbolicFactors Factors(Z.Im);
  Real Signed = call("sin", Z.Re) * withSign(Z.Re.number(1), Z.Im);
  return {Factors.timesCosh(call("cos", Z.Re)), -Factors.timesSinh(Signed)};
}

/// [A]: sin x cosh y + i cos x sinh y
static Complex sine(Complex Z) {
  HyperbolicFactors Factors(Z.Im);
  Real Signed = call("cos", Z.Re) * withSign(Z.Re.number(1), Z.Im);
  return {Factors.timesCosh(call("sin", Z.Re)), Factors.timesSinh(Signed)};
}

/// [A]: (sinh 2x + i sin 2y) / (cosh 2x + cos 2y), which is
///
///   (sinh x cosh x + i sin y cos y) / (sinh^2 x + cos^2 y)
///
/// Both times 4q with q = e^-2|x| and d = 1 - q: as 2 sqrt(q) sinh |x| is d,
/// 4q sinh |x| cosh x = 1 - q^2 = d (1 + q) and 4q sinh^2 x = d^2. The divisor
/// is a sum of squares, so the poles are where they belong.
static Complex tanh(Complex Z) {
  Real Twice = -2 * magnitude(Z.Re);
  Real Q = call("exp", Twice), D = -call("expm1", Twice);
  Real Sine = call("sin", Z.Im), Cosine = call("cos", Z.Im);
  Real Divisor = D * D + 4 * Q * (Cosine * Cosine);
  return {withSign(D * (1 + Q) / Divisor, Z.Re),
          4 * Q * (Sine * Cosine) / Divisor};
}

/// [A]: tan z = -i tanh iz
static Complex tangent(Complex Z) {
  Complex Turned = tanh({Z.Im, Z.Re}); // of i times the conjugate of z
  return {Turned.Im, Turned.Re};
}

/// 1 / (1 + e^-z). With t = e^-z, or e^z and t / (1 + t) if x is negative, the
/// conjugate of 1 + t over |1 + t|^2. With E = |t| = e^-|x|, d = 1 - E and c =
/// cos(y / 2), cos y is 2c^2 - 1, so
///
///   |1 + t|^2            = 1 + E^2 + 2E cos y = d^2 + 4E c^2
///   Re (1 + t)           = 1 + E cos y        = d + 2E c^2
///   Re t (1 + conj t)    = E (cos y + E)      = E (2c^2 - d)
static Complex logistic(Complex Z) {
  Real Size = -magnitude(Z.Re);
  Real E = call("exp", Size), D = -call("expm1", Size);
  Real Cosine = call("cos", 0.5 * Z.Im), Square = Cosine * Cosine;
  Real Divisor = D * D + 4 * E * Square;
  Real Re = select(isLess(Z.Re, 0), E * (2 * Square - D), D + 2 * E * Square);
  return {Re / Divisor, E * call("sin", Z.Im) / Divisor};
}

//===----------------------------------------------------------------------===//
// Pairs
//===----------------------------------------------------------------------===//

Value *makeComplex(IRBuilderBase &B, Value *Real, Value *Imaginary) {
  Value *Pair = PoisonValue::get(FixedVectorType::get(Real->getType(), 2));
  Pair = B.CreateInsertElement(Pair, Real, uint64_t(0));
  return B.CreateInsertElement(Pair, Imaginary, uint64_t(1));
}

static Value *toPair(IRBuilderBase &B, Complex Z) {
  Value *Re = Z.Re.emit();
  return makeComplex(B, Re, Z.Im.emit());
}

static Complex partsOf(IRBuilderBase &B, Value *Pair) {
  return {{B, B.CreateExtractElement(Pair, uint64_t(0))},
          {B, B.CreateExtractElement(Pair, uint64_t(1))}};
}

Value *unaryOfComplex(IRBuilderBase &B, HloOpcode Opcode, Value *X) {
  Complex Z = partsOf(B, X);
  switch (Opcode) {
  case HloOpcode::Abs:
    return call("hypot", Z.Re, Z.Im).emit();
  case HloOpcode::Cbrt:
    return toPair(B, cubeRoot(Z));
  case HloOpcode::Cosh:
    return toPair(B, cosine({-Z.Im, Z.Re}));
  case HloOpcode::Cosine:
    return toPair(B, cosine(Z));
  case HloOpcode::Exponential:
    return toPair(B, exponential(Z));
  case HloOpcode::ExponentialMinusOne:
    return toPair(B, exponentialMinusOne(Z));
  case HloOpcode::Imag:
    return Z.Im.emit();
  case HloOpcode::Log:
    return toPair(B, logarithm(Z));
  case HloOpcode::LogPlusOne:
    return toPair(B, logOnePlus(Z));
  case HloOpcode::Logistic:
    return toPair(B, logistic(Z));
  case HloOpcode::Negate:
    return B.CreateFNeg(X);
  case HloOpcode::Real:
    return Z.Re.emit();
  case HloOpcode::Rsqrt:
    return toPair(B, divide({Z.Re.number(1), Z.Re.number(0)}, squareRoot(Z)));
  case HloOpcode::Sign:
    return toPair(B, sign(Z));
  case HloOpcode::Sine:
    return toPair(B, sine(Z));
  case HloOpcode::Sinh: { // -i sin(iz)
    Complex Turned = sine({-Z.Im, Z.Re});
    return toPair(B, {Turned.Im, -Turned.Re});
  }
  case HloOpcode::Sqrt:
    return toPair(B, squareRoot(Z));
  case HloOpcode::Tan:
    return toPair(B, tangent(Z));
  case HloOpcode::Tanh:
    return toPair(B, tanh(Z));
  default:
    llvm_unreachable("not an operation of complex numbers");
  }
}

Value *binaryOfComplex(IRBuilderBase &B, HloOpcode Opcode, Value *X, Value *Y) {
  switch (Opcode) {
  case HloOpcode::Add:
    return B.CreateFAdd(X, Y);
  case HloOpcode::Divide: {
    Complex Dividend = partsOf(B, X), Divisor = partsOf(B, Y);
    return toPair(B, divide(Dividend, Divisor));
  }
  case HloOpcode::Multiply: {
    Complex Left = partsOf(B, X), Right = partsOf(B, Y);
    return toPair(B, multiply(Left, Right));
  }
  case HloOpcode::Power: {
    // The error of an exponent is multiplied by its size.
    Type *Wide = FixedVectorType::get(B.getDoubleTy(), 2);
    Complex Base = partsOf(B, B.CreateFPExt(X, Wide));
    Complex Exponent = partsOf(B, B.CreateFPExt(Y, Wide));
    Value *Power = toPair(B, power(Base, Exponent));
    return B.CreateFPTrunc(Power, X->getType());
  }
  case HloOpcode::Subtract:
    return B.CreateFSub(X, Y);
  default:
    llvm_unreachable("not an operation of complex numbers");
  }
}

} // namespace unravel
