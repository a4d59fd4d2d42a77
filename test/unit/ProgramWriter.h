//===- ProgramWriter.h - IR that the tests generate -------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The operations that index arithmetic is made of, as text: functions that try
// each constant, and random functions with guards.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TEST_UNIT_PROGRAMWRITER_H
#define UNRAVEL_TEST_UNIT_PROGRAMWRITER_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MathExtras.h"
#include <random>
#include <string>
#include <vector>

namespace unravel::test {

using namespace llvm;

inline const char *const Operations[] = {
    "add",         "add nsw", "add nuw",     "add nuw nsw", "sub",
    "sub nsw",     "sub nuw", "sub nuw nsw", "mul",         "mul nsw",
    "mul nuw",     "shl",     "mul nuw nsw", "shl nsw",     "shl nuw",
    "shl nuw nsw", "udiv",    "udiv exact",  "sdiv",        "sdiv exact",
    "urem",        "srem",    "lshr",        "lshr exact",  "ashr",
    "ashr exact",  "and",     "or",          "or disjoint", "xor",
    "smin",        "smax",    "umin",        "umax",        "usub.sat",
    "abs",         "abs 1",   "freeze"};
inline const char *const Casts[] = {"zext",         "zext nneg", "sext",
                                    "trunc",        "trunc nsw", "trunc nuw",
                                    "trunc nuw nsw"};

inline std::string typeOf(unsigned Width) {
  return "i" + std::to_string(Width);
}

/// The text of an operation of the lists above on words.
inline std::string operation(StringRef Op, unsigned Width, const std::string &A,
                             const std::string &B) {
  std::string T = typeOf(Width);
  if (Op == "freeze")
    return "freeze " + T + " " + A;
  if (Op.consume_front("abs"))
    return "call " + T + " @llvm.abs." + T + "(" + T + " " + A + ", i1 " +
           (Op.empty() ? "0" : "1") + ")";
  if (Op == "usub.sat" || Op.ends_with("min") || Op.ends_with("max"))
    return "call " + T + " @llvm." + Op.str() + "." + T + "(" + T + " " + A +
           ", " + T + " " + B + ")";
  return Op.str() + " " + T + " " + A + ", " + B;
}

inline std::string castTo(StringRef Op, unsigned From, const std::string &A,
                          unsigned To) {
  return Op.str() + " " + typeOf(From) + " " + A + " to " + typeOf(To);
}

inline bool isDivision(StringRef Op) {
  return Op.contains("div") || Op.contains("rem");
}

/// Functions of one word %x that apply operations, with every constant as the

inline const char *const Predicates[] = {"eq",  "ne",  "slt", "sle", "sgt",
                                         "sge", "ult", "ule", "ugt", "uge"};

/// Functions of one word %x that apply operations, with every constant as the
/// other operand, to a value that \p Entry computes. Divisions that trap for
/// some input get functions of their own, so that the rest is still run there.
class AllConstants {
public:
  AllConstants(unsigned Width, std::string Entry = "", std::string Name = "f")
      : Width(Width), Entry(Entry), Body(Entry), Name(Name) {}

  void apply(StringRef Op, const std::string &A, bool ConstantFirst = false) {
    int64_t Least = -(1 << (Width - 1));
    std::string Quotients;
    for (int64_t C = Least; C < -Least; ++C) {
      std::string K = std::to_string(C);
      std::string Text =
          operation(Op, Width, ConstantFirst ? K : A, ConstantFirst ? A : K);
      if (!isDivision(Op))
        Body += line(Text);
      else if (C == (ConstantFirst ? Least : -1))
        emit(Entry + line(Text));
      else if (ConstantFirst)
        Quotients += line(Text);
      else if (C != 0)
        Body += line(Text);
    }
    for (const char *Bad : {"undef", "poison"})
      if (!ConstantFirst && !isDivision(Op))
        Body += line(operation(Op, Width, A, Bad));
    if (!Quotients.empty())
      emit(Entry + Quotients);
  }
  std::string line(const std::string &Text) {
    return "%r" + std::to_string(Next++) + " = " + Text + "\n";
  }
  /// Returns the name of the result.
  std::string append(const std::string &Text) {
    Body += line(Text);
    return "%r" + std::to_string(Next - 1);
  }
  std::string finish() {
    emit(Body);
    return Functions;
  }

private:
  void emit(const std::string &Lines) {
    Functions += "define void @" + Name + std::to_string(Next++) + "(" +
                 typeOf(Width) + " noundef %x) {\n" + Lines + "ret void\n}\n";
  }
  unsigned Width, Next = 0;
  std::string Entry, Body, Name, Functions;
};

/// Writes functions with random operations on words of the given widths,
/// nested guards, assumptions and calls that may not return.
class ProgramWriter {
public:
  ProgramWriter(unsigned Seed, ArrayRef<unsigned> Widths)
      : Random(Seed), Widths(Widths) {}

  /// A function of \p Arguments words with \p Operations in each block and
  /// guards nested \p Depth deep.
  std::string function(unsigned Arguments, unsigned Operations,
                       unsigned Depth) {
    Visible.clear();
    Names = Blocks = 0;
    std::string Text = "define void @" + std::string(1 + below(3), 'f') +
                       std::to_string(Functions++) + "(";
    for (unsigned I = 0; I < Arguments; ++I) {
      unsigned Width = Widths[below(std::min<unsigned>(Widths.size(), 2))];
      Visible.push_back({"%a" + std::to_string(I), Width});
      Text += (I ? ", " : "") + typeOf(Width) + (below(4) ? " noundef " : " ") +
              Visible.back().Name;
    }
    Text += ") {\nentry:\n";
    return Text + region(Operations, Depth) + "}\n";
  }

private:
  struct Word {
    std::string Name;
    unsigned Width;
  };

  unsigned below(unsigned N) { return Random() % N; }
  template <size_t N> const char *oneOf(const char *const (&List)[N]) {
    return List[below(N)];
  }
  std::string constant(unsigned Width) {
    uint64_t Bits = below(12);
    switch (below(6)) {
    case 0: // a power of two, or next to one
      Bits = (uint64_t(1) << below(Width)) + below(3) - 1;
      break;
    case 1:
      Bits = 0 - Bits;
      break;
    case 2:
      Bits = (uint64_t(1) << (Width - 1)) - below(2);
      break;
    case 3:
      Bits = Random();
      break;
    }
    return std::to_string(SignExtend64(Bits, Width));
  }
  std::string word(unsigned Width, unsigned Constants = 3) {
    if (below(10) >= Constants)
      for (unsigned Tries = 0; Tries < 6; ++Tries) {
        const Word &W = Visible[below(Visible.size())];
        if (W.Width == Width)
          return W.Name;
      }
    unsigned Kind = below(60);
    return Kind == 0 ? "undef" : Kind == 1 ? "poison" : constant(Width);
  }
  unsigned width() { return Visible[below(Visible.size())].Width; }
  std::string define(unsigned Width, const std::string &Text) {
    Visible.push_back({"%v" + std::to_string(Names++), Width});
    return Visible.back().Name + " = " + Text + "\n";
  }
  std::string compare() {
    unsigned Width = width();
    std::string Flag = below(8) ? "" : "samesign ", Pred = oneOf(Predicates);
    std::string A = word(Width, 1), B = word(Width, 6);
    return "icmp " + Flag + Pred + " " + typeOf(Width) + " " + A + ", " + B;
  }

  std::string randomOperation() {
    unsigned Width = width();
    switch (below(8)) {
    case 0: {
      const Word &W = Visible[below(Visible.size())];
      unsigned To = Widths[below(Widths.size())];
      if (To == W.Width)
        return "";
      std::string Op = Casts[To > W.Width ? below(3) : 3 + below(4)];
      return define(To, castTo(Op, W.Width, W.Name, To));
    }
    case 1: {
      if (below(3) == 0)
        return define(1, compare());
      if (below(2))
        return "";
      std::string C = "%c" + std::to_string(Names++);
      std::string Compare = C + " = " + compare() + "\n", T = typeOf(Width);
      std::string A = word(Width), B = word(Width);
      return Compare + define(Width, "select i1 " + C + ", " + T + " " + A +
                                         ", " + T + " " + B);
    }
    default: {
      StringRef Op = oneOf(Operations);
      std::string A = word(Width, 1), B = word(Width, 7);
      if (Width == 32 && !below(8)) // a magic number: 2^33/3, rounded up
        return define(32, "call i32 @llvm.nvvm.mulhi.ui(i32 " + A + ", i32 " +
                              (below(2) ? "-1431655765" : B) + ")");
      if (isDivision(Op) && !below(8))
        std::swap(A, B);
      if (isDivision(Op) && (B == "0" || B == "undef" || B == "poison"))
        B = "3";
      return define(Width, operation(Op, Width, A, B));
    }
    }
  }

  /// A condition: one comparison, or several in all the ways to join them.
  std::string condition(std::string &Name, unsigned Depth = 0) {
    static const char *const Joins[] = {
        "and i1 %A, %B", "or i1 %A, %B", "select i1 %A, i1 %B, i1 false",
        "select i1 %A, i1 true, i1 %B", "xor i1 %A, true"};
    std::string Text = compare();
    std::string Lines;
    if (Depth < 2 && below(3) == 0) {
      std::string A, B, Join = oneOf(Joins);
      Lines = condition(A, Depth + 1);
      Lines += condition(B, Depth + 1);
      for (auto [From, To] : {std::pair("%A", A), std::pair("%B", B)})
        if (size_t At = Join.find(From); At != std::string::npos)
          Join.replace(At, 2, To);
      Text = Join;
    }
    Name = "%c" + std::to_string(Names++);
    return Lines + Name + " = " + Text + "\n";
  }

  /// A block and everything that it branches to; \p Depth guards deep.
  std::string region(unsigned Operations, unsigned Depth) {
    std::string Text, C;
    for (unsigned I = 0; I < Operations; ++I)
      Text += randomOperation();
    if (Depth > 0 && below(12) == 0)
      Text += "call void @may_exit()\n";
    if (Depth > 0 && below(4) == 0) {
      Text += condition(C);
      Text += "call void @llvm.assume(i1 " + C + ")\n" + randomOperation();
    }
    if (Depth == 0)
      return Text + "ret void\n";
    std::string Then = "b" + std::to_string(Blocks++);
    std::string Else = "b" + std::to_string(Blocks++);
    if (below(6)) {
      Text += condition(C);
      Text += "br i1 " + C + ", label %" + Then + ", label %" + Else + "\n";
    } else {
      unsigned Width = width();
      std::string T = typeOf(Width), V = word(Width, 0), K = constant(Width);
      Text += "switch " + T + " " + V + ", label %" + Else + " [" + T + " " +
              K + ", label %" + Then + "]\n";
    }
    size_t Outside = Visible.size();
    for (const std::string &Block : {Then, Else}) {
      Text += Block + ":\n" + region(Operations, Depth - 1);
      Visible.resize(Outside);
    }
    return Text;
  }

  std::mt19937_64 Random;
  SmallVector<unsigned, 4> Widths;
  std::vector<Word> Visible;
  unsigned Names = 0, Blocks = 0, Functions = 0;
};

} // namespace unravel::test

#endif // UNRAVEL_TEST_UNIT_PROGRAMWRITER_H
