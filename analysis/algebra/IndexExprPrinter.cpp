//===- IndexExprPrinter.cpp - Index expressions as text -------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The text is XLA's indexing-map syntax. A remainder is printed wherever it
// leaves fewer terms than the floor it stands for.
//
//===----------------------------------------------------------------------===//

#include "analysis/algebra/IndexDigits.h"
#include "analysis/algebra/IndexExpr.h"
#include "analysis/algebra/IndexSpelling.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace unravel {

namespace {
class Printer {
public:
  using Names = function_ref<std::string(const IndexAtom *)>;
  Printer(raw_ostream &OS, IndexContext &Context) : OS(OS), Context(Context) {}
  /// For people who read C.
  Printer(raw_ostream &OS, IndexContext &Context, Names NameOf)
      : OS(OS), Context(Context), NameOf(NameOf), InC(true) {}

  void sum(IndexExpr E) {
    if (isTooLong())
      return;
    bool First = true;
    while (std::optional<IndexDigit> Digit = bestDigit(Context, E)) {
      coefficient(Digit->Scale, First);
      // `mod` and `*` bind alike and a leading minus binds tighter, so a
      // scaled remainder needs parentheses.
      bool Scaled = (Digit->Scale != 1 && Digit->Scale != -1) ||
                    (First && Digit->Scale == -1);
      bool Parens = Scaled && (!Digit->Truncating || InC);
      OS << (Parens ? "(" : "");
      division(!Digit->Truncating ? "mod"
               : InC              ? "%"
                                  : "tmod",
               Digit->Truncating && !InC, Digit->Dividend,
               Context.constant(Digit->Radix));
      OS << (Parens ? ")" : "");
      E = Digit->Rest;
      First = false;
    }
    for (const IndexTerm &T : E.terms()) {
      coefficient(T.Coefficient, First);
      atom(T.Atom, (T.Coefficient != 1 && T.Coefficient != -1) ||
                       (First && T.Coefficient == -1));
      First = false;
    }
    int64_t K = E.constant();
    if (First)
      OS << K;
    else if (K != 0)
      OS << (K < 0 ? " - " : " + ") << (K < 0 ? -K : K);
  }

private:
  bool isTooLong() {
    if (PartsLeft > 0) {
      --PartsLeft;
      return false;
    }
    OS << "...";
    return true;
  }

  void coefficient(int64_t C, bool First) {
    if (First)
      OS << (C < 0 ? "-" : "");
    else
      OS << (C < 0 ? " - " : " + ");
    if (C != 1 && C != -1)
      OS << (C < 0 ? -C : C) << " * ";
  }

  void operand(IndexExpr E) {
    const IndexAtom *A = E.asAtom();
    bool Parens = !A || (A->isFloorDiv() && !InC) || A->isProduct() ||
                  (A->isTruncDiv() && InC);
    OS << (Parens ? "(" : "");
    sum(E);
    OS << (Parens ? ")" : "");
  }

  void division(StringRef Name, bool AsCall, IndexExpr Dividend,
                IndexExpr Divisor) {
    if (AsCall) {
      OS << Name << '(';
      sum(Dividend);
      OS << ", ";
      sum(Divisor);
      OS << ')';
      return;
    }
    operand(Dividend);
    OS << ' ' << Name << ' ';
    if (Divisor.isConstant())
      OS << Divisor.constant();
    else
      operand(Divisor);
  }

  void product(const IndexAtom *A) {
    for (const IndexAtom *const &Factor : A->factors()) {
      OS << (&Factor == A->factors().begin() ? "" : " * ");
      atom(Factor, /*Scaled=*/true);
    }
  }

  void condition(const IndexAtom *A) {
    OS << '(';
    sum(A->operand());
    OS << (A->kind() == IndexAtom::Kind::Zero ? " == 0)" : " >= 0)");
  }

  void atom(const IndexAtom *A, bool Scaled) {
    if (isTooLong())
      return;
    if (A->isVariable()) {
      OS << (InC ? NameOf(A) : A->name().str());
    } else if (A->isNegativePart()) {
      OS << "min(";
      sum(A->operand());
      OS << ", 0)";
    } else if (A->isProduct()) {
      product(A);
    } else if (A->isCondition()) {
      condition(A);
    } else if (A->isBitXor()) {
      OS << '(';
      operand(A->operand());
      OS << (InC ? " ^ " : " xor ");
      operand(A->divisor());
      OS << ')';
    } else if (InC) {
      bool IsCall = !A->isTruncDiv();
      OS << (IsCall ? "floor(" : Scaled ? "(" : "");
      division("/", /*AsCall=*/false, A->operand(), A->divisor());
      OS << (IsCall || Scaled ? ")" : "");
    } else if (A->isTruncDiv()) {
      division("tdiv", /*AsCall=*/true, A->operand(), A->divisor());
    } else {
      OS << (Scaled ? "(" : "");
      division("floordiv", /*AsCall=*/false, A->operand(), A->divisor());
      OS << (Scaled ? ")" : "");
    }
  }

  raw_ostream &OS;
  IndexContext &Context;
  Names NameOf = nullptr;
  bool InC = false;
  /// A form shares what repeats in it; its text cannot, and would double with
  /// each level. Beyond so many sums and atoms it is cut off.
  unsigned PartsLeft = 2000;
};
} // namespace

void print(raw_ostream &OS, IndexContext &Context, IndexExpr E) {
  if (!E)
    OS << "<gave up>";
  else
    Printer(OS, Context).sum(E);
}

std::string toString(IndexContext &Context, IndexExpr E) {
  std::string Text;
  raw_string_ostream OS(Text);
  print(OS, Context, E);
  return Text;
}

std::string toSourceText(IndexContext &Context, IndexExpr E,
                         function_ref<std::string(const IndexAtom *)> NameOf) {
  std::string Text;
  raw_string_ostream OS(Text);
  Printer(OS, Context, NameOf).sum(E);
  return Text;
}

} // namespace unravel
