//===- MemoryStatements.cpp - Addresses, loads, stores, exchanges ---------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/ptx-fuzz/generator/Divisions.h"
#include "tools/ptx-fuzz/generator/Statements.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace unravel::ptx {

/// A register of 32 bits below \p Bound, a power of two.
std::string KernelWriter::boundedIndex(unsigned Bound) {
  std::string Index = K.reg(Class::Word);
  unsigned Which = K.R.below(10);
  if (Which < 5)
    return K.value(Class::Word, "and.b32",
                   Index + ", " + std::to_string(Bound - 1));
  if (Which < 7)
    return K.value(Class::Word, "min.u32",
                   Index + ", " + std::to_string(Bound - 1));
  if (Which < 8)
    return K.value(Class::Word, "shr.u32",
                   Index + ", " + std::to_string(32 - Log2_32(Bound)));
  unsigned Size = unsigned(K.R.between(1, Bound));
  if (Which < 9)
    return K.value(Class::Word, "rem.u32", Index + ", " + std::to_string(Size));
  std::string Q = divideByConstant(K, 32, false, Index, Size);
  return remainderOf(K, 32, Index, Q, Size);
}

/// `[%d1+16]`: inside of the buffer at \p Base, for an access of as many bytes.
std::string KernelWriter::address(StringRef Base, unsigned AccessBytes) {
  // The last quarter is for constant offsets.
  unsigned Bound = PowerOf2Ceil(BufferBytes / AccessBytes / 2);
  std::string Index = boundedIndex(Bound);
  std::string Size = std::to_string(AccessBytes), At;
  unsigned Which = K.R.below(5);
  if (Which == 0) {
    At = K.value(Class::Double, "mad.wide.u32",
                 Index + ", " + Size + ", " + Base);
  } else {
    std::string Offset;
    if (Which == 1) {
      Offset = K.value(Class::Double, "mul.wide.u32", Index + ", " + Size);
    } else if (Which == 2) {
      Offset = K.value(Class::Double, "mul.wide.s32", Index + ", " + Size);
    } else {
      std::string Wide = K.value(
          Class::Double, Which == 3 ? "cvt.u64.u32" : "cvt.s64.s32", Index);
      Offset = K.value(Class::Double, "shl.b64",
                       Wide + ", " + std::to_string(Log2_32(AccessBytes)));
    }
    bool IsFirst = K.R.chance(50);
    At = K.value(Class::Double, "add.s64",
                 IsFirst ? Base + ", " + Twine(Offset) : Offset + ", " + Base);
  }
  if (K.R.chance(50))
    return "[" + At + "]";
  unsigned Plus = unsigned(K.R.below(64)) * AccessBytes;
  return "[" + At + "+" + std::to_string(Plus) + "]";
}

/// An index of 32 bits as it is: negative, or the end of a sum that wrapped.
/// Only buffers without end have something there.
std::string KernelWriter::anyAddress(unsigned AccessBytes) {
  std::string Index = K.reg(Class::Word);
  if (K.R.chance(50))
    Index = K.value(Class::Word, K.R.chance(50) ? "add.s32" : "mul.lo.s32",
                    Index + ", " + K.operand(Class::Word));
  bool IsSigned = K.R.chance(50);
  std::string Offset;
  if (K.R.chance(50)) {
    Offset = K.value(Class::Double, IsSigned ? "mul.wide.s32" : "mul.wide.u32",
                     Index + ", " + std::to_string(AccessBytes));
  } else {
    std::string Wide =
        K.value(Class::Double, IsSigned ? "cvt.s64.s32" : "cvt.u64.u32", Index);
    if (K.R.chance(30))
      Wide = K.value(Class::Double, "add.s64",
                     Wide + ", " + K.immediate(Class::Word));
    Offset = K.value(Class::Double, "shl.b64",
                     Wide + ", " + std::to_string(Log2_32(AccessBytes)));
  }
  std::string At = K.value(Class::Double, "add.s64", Input + ", " + Offset);
  return "[" + At + "+" +
         std::to_string(K.R.between(-32, 32) * int64_t(AccessBytes)) + "]";
}

/// `if (i < n) x = in[i];`: nowhere else may it be loaded.
void KernelWriter::addGuardedLoad() {
  std::string Index = K.reg(Class::Word), P = K.fresh(Class::Predicate);
  unsigned Bound = BufferBytes / 4;
  K.line("setp.lt.u32 " + P + ", " + Index + ", " + Twine(Bound));
  std::string Offset = K.value(Class::Double, "mul.wide.s32", Index + ", 4");
  std::string At = K.value(Class::Double, "add.s64", Input + ", " + Offset);
  if (K.R.chance(50)) {
    K.line("@" + P + " ld.global.u32 " + K.variable(Class::Word) + ", [" + At +
           "]");
    return;
  }
  std::string Skip = K.freshLabel();
  K.line("@!" + P + " bra " + Skip);
  K.line("ld.global.s32 " + K.variable(Class::Double) + ", [" + At + "]");
  K.label(Skip);
}

/// On a word of the thread's own output.
void KernelWriter::addOwnAtomic() {
  static constexpr StringLiteral Names[] = {"add.u32", "min.s32", "max.u32",
                                            "inc.u32", "dec.u32", "and.b32",
                                            "or.b32",  "xor.b32", "exch.b32"};
  std::string At = "[" + Output + "+" + std::to_string(4 * K.R.below(16)) + "]";
  if (K.R.chance(20))
    K.value(Class::Word, "atom.global.cas.b32",
            At + ", " + K.reg(Class::Word) + ", " + K.reg(Class::Word));
  else
    K.value(Class::Word, "atom.global." + K.R.pick(Names),
            At + ", " + K.reg(Class::Word));
}

/// From an array with an initialiser.
void KernelWriter::addTableLoad() {
  std::string Index = boundedIndex(TableWords);
  bool IsConstant = K.R.chance(50);
  StringRef Table = IsConstant ? "constant_table" : "global_table";
  std::string Base = K.fresh(Class::Double);
  bool HasOffset = K.R.chance(30);
  K.line("mov.u64 " + Base + ", " + Table + (HasOffset ? "+16" : ""));
  if (HasOffset) // back to where all of it is
    K.line("add.s64 " + Base + ", " + Base + ", -16");
  std::string Space = IsConstant ? "const" : "global";
  if (K.R.chance(30)) {
    std::string Generic = K.fresh(Class::Double);
    K.line("cvta." + Space + ".u64 " + Generic + ", " + Base);
    Base = Generic;
    Space = "";
  }
  std::string At = K.fresh(Class::Double);
  K.line("mad.wide.u32 " + At + ", " + Index + ", 4, " + Base);
  K.value(Class::Word, "ld." + Space + (Space.empty() ? "" : ".") + "b32",
          "[" + At + "]");
}

/// An array of the thread, which has been written in the prolog.
void KernelWriter::addLocalAccess() {
  HasLocal = true;
  auto Address = [&] {
    std::string Base = K.fresh(Class::Double), At = K.fresh(Class::Double);
    K.line("mov.u64 " + Base + ", local_" + Twine(Name));
    std::string Index = boundedIndex(LocalWords);
    K.line("mad.wide.u32 " + At + ", " + Index + ", 4, " + Base);
    return At;
  };
  if (K.R.chance(60)) {
    std::string To = Address();
    K.line("st.local.b32 [" + To + "], " + K.reg(Class::Word));
  }
  std::string From = Address();
  if (K.R.chance(50)) {
    K.value(Class::Word, "ld.local.u32", "[" + From + "]");
    return;
  }
  std::string Generic = K.fresh(Class::Double);
  K.line("cvta.local.u64 " + Generic + ", " + From);
  K.value(Class::Half, "ld.s16", "[" + Generic + "+2]");
}

void KernelWriter::addLoad() {
  if (K.R.chance(12))
    return addGuardedLoad();
  static constexpr StringLiteral Types[] = {"u8",  "s8",  "b8",  "u16",
                                            "s16", "b16", "u32", "s32",
                                            "b32", "u64", "s64", "b64"};
  StringRef T = K.R.pick(Types);
  unsigned Width = 8;
  T.drop_front().getAsInteger(10, Width);
  static constexpr StringLiteral Kinds[] = {"ld.global.",
                                            "ld.global.nc.",
                                            "ld.global.ca.",
                                            "ld.volatile.global.",
                                            "ld.relaxed.gpu.global.",
                                            "ld.global.L1::no_allocate.",
                                            "ld."};
  StringRef Kind = Kinds[K.R.chance(70) ? 0 : K.R.below(std::size(Kinds))];
  bool CanBeVector = !Kind.contains("relaxed");
  unsigned Lanes = 1;
  if (CanBeVector && K.R.chance(25))
    Lanes = Width < 64 && K.R.chance(50) ? 4 : 2;
  unsigned Bytes = Lanes * Width / 8;
  std::string From =
      IsWild && K.R.chance(60) ? anyAddress(Bytes) : address(Input, Bytes);
  Class C = classOfWidth(Width);
  // A load fills a wider register.
  if (K.R.chance(20))
    C = Class(std::min(unsigned(C) + 1, 3u));
  std::string List;
  std::vector<std::string> New;
  for (unsigned Lane = 0; Lane != Lanes; ++Lane) {
    New.push_back(K.fresh(C));
    List += (Lane ? ", " : "") + New.back();
  }
  if (Lanes > 1)
    List = "{" + List + "}";
  std::string Vector = Lanes > 1 ? "v" + std::to_string(Lanes) + "." : "";
  K.line(Kind + Vector + T + " " + List + ", " + From);
  for (std::string &Name : New)
    K.addValue(C, std::move(Name));
}

/// Into the 64 bytes that a thread has of the output.
void KernelWriter::addStore() {
  if (K.R.chance(12))
    return addOwnAtomic();
  // A load of what the thread may have stored before.
  if (K.R.chance(12)) {
    K.line("@" + K.reg(Class::Predicate) + " ld.global.u32 " +
           K.variable(Class::Word) + ", [" + Output + "+" +
           Twine(4 * K.R.below(4)) + "]");
    return;
  }
  static constexpr StringLiteral Types[] = {"u8",  "s8",  "b16", "u16",
                                            "b32", "u32", "b64", "s64"};
  StringRef T = K.R.pick(Types);
  unsigned Width = 8;
  T.drop_front().getAsInteger(10, Width);
  Class C = classOfWidth(Width);
  unsigned Lanes = K.R.chance(20) ? 2 : 1, Bytes = Lanes * Width / 8;
  std::string At = Output;
  if (K.R.chance(40)) {
    std::string Index = boundedIndex(64 / Bytes);
    At = K.value(Class::Double, "mad.wide.u32",
                 Index + ", " + std::to_string(Bytes) + ", " + Output);
  } else {
    At += "+" + std::to_string(K.R.below(64 / Bytes) * Bytes);
  }
  // What is stored may be the low part of a register.
  if (K.R.chance(25))
    C = Class(std::min(unsigned(C) + 1, 3u));
  std::string What = K.reg(C);
  if (Lanes == 2)
    What = "{" + What + ", " + K.reg(C) + "}";
  std::string Guard;
  if (K.R.chance(20))
    Guard = "@" + K.reg(Class::Predicate) + " ";
  K.line(Guard + "st.global." + (Lanes == 2 ? "v2." : "") + T + " [" + At +
         "], " + What);
}

/// Takes an index apart by some sizes and puts it together again, in the same
/// order or another one.
void KernelWriter::addIndexChain() {
  bool IsWide = K.R.chance(20), IsSigned = K.R.chance(40);
  unsigned Width = IsWide ? 64 : 32;
  Class C = classOfWidth(Width);
  std::string Index =
      C == Class::Word && K.R.chance(60) ? ThreadNumber : K.reg(C);
  struct Digit {
    std::string Value, Size;
  };
  std::vector<Digit> Digits;
  std::string Suffix = (IsSigned ? "s" : "u") + std::to_string(Width);
  unsigned Count = K.R.between(1, 3);
  for (unsigned I = 0; I != Count; ++I) {
    std::string Q, Rest, Size;
    if (K.R.chance(60)) {
      uint64_t Divisor = K.R.chance(70) ? K.R.between(2, 64)
                                        : constantDivisor(K, Width, IsSigned);
      Size = std::to_string(SignExtend64(Divisor, Width));
      if (K.R.chance(50)) {
        Q = K.value(C, "div." + Suffix, Index + ", " + Size);
        Rest = K.R.chance(50) ? K.value(C, "rem." + Suffix, Index + ", " + Size)
                              : remainderOf(K, Width, Index, Q, Divisor);
      } else {
        Q = divideByConstant(K, Width, IsSigned, Index, Divisor);
        Rest = remainderOf(K, Width, Index, Q, Divisor);
      }
    } else {
      // A size that is an argument: at least 1.
      Size = K.value(C, "max." + Suffix, K.variable(C) + ", 1");
      Q = K.value(C, "div." + Suffix, Index + ", " + Size);
      if (K.R.chance(50)) {
        Rest = K.value(C, "rem." + Suffix, Index + ", " + Size);
      } else {
        std::string Product =
            K.value(C, "mul.lo.s" + Twine(Width),
                    K.R.chance(50) ? Q + ", " + Size : Size + ", " + Q);
        Rest = K.value(C, "sub.s" + Twine(Width), Index + ", " + Product);
      }
    }
    Digits.push_back({Rest, Size});
    Index = Q;
  }
  // Horner, from the highest digit down; sometimes the digits change places.
  if (K.R.chance(50) && Digits.size() > 1)
    std::swap(Digits.front(), Digits.back());
  std::string Sum = Index;
  for (size_t I = Digits.size(); I-- > 0;) {
    const Digit &D = Digits[I];
    if (K.R.chance(60)) {
      Sum = K.value(C, "mad.lo.s" + Twine(Width),
                    Sum + ", " + D.Size + ", " + D.Value);
    } else {
      std::string Product =
          K.value(C, "mul.lo.s" + Twine(Width), Sum + ", " + D.Size);
      Sum = K.value(C, "add.s" + Twine(Width), Product + ", " + D.Value);
    }
  }
}

//===----------------------------------------------------------------------===//
// Between threads: only where all of them come by
//===----------------------------------------------------------------------===//

void KernelWriter::addSharedExchange() {
  HasShared = true;
  std::string Base = K.value(Class::Word, "mov.u32", "shared_" + Twine(Name));
  std::string Mine =
      K.value(Class::Word, "mad.lo.s32", ThreadInBlock + ", 4, " + Base);
  K.line("st.shared.b32 [" + Mine + "], " + K.reg(Class::Word));
  K.line("bar.sync 0");
  std::string Other = boundedIndex(MaxThreads);
  std::string Scaled = K.value(Class::Word, "shl.b32", Other + ", 2");
  std::string At = K.value(Class::Word, "add.s32", Base + ", " + Scaled);
  // What no thread of the block has written is not known.
  std::string P = K.fresh(Class::Predicate);
  K.line("setp.lt.u32 " + P + ", " + Other + ", " + ThreadsOfBlock);
  std::string Loaded = K.fresh(Class::Word);
  K.line("mov.u32 " + Loaded + ", " + K.immediate(Class::Word));
  if (K.R.chance(70)) {
    K.line("@" + P + " ld.shared.b32 " + Loaded + ", [" + At + "]");
  } else {
    std::string Wide = K.fresh(Class::Double), Generic = K.fresh(Class::Double);
    K.line("cvt.u64.u32 " + Wide + ", " + At);
    K.line("cvta.shared.u64 " + Generic + ", " + Wide);
    K.line("@" + P + " ld.b32 " + Loaded + ", [" + Generic + "]");
  }
  K.line("bar.sync 0");
  K.addValue(Class::Predicate, P);
  K.addValue(Class::Word, Loaded);
}

void KernelWriter::addWarpOperation() {
  std::string A = K.reg(Class::Word);
  switch (K.R.below(6)) {
  case 0:
    K.value(Class::Word, "shfl.sync.bfly.b32",
            A + ", " + std::to_string(K.R.below(32)) + ", 31, -1");
    break;
  case 1:
    K.value(Class::Word, "shfl.sync.down.b32",
            A + ", " + std::to_string(K.R.below(32)) + ", 31, -1");
    break;
  case 2:
    K.value(Class::Word, "shfl.sync.idx.b32",
            A + ", " + K.reg(Class::Word) + ", 31, -1");
    break;
  case 3:
    K.value(Class::Word, "vote.sync.ballot.b32",
            K.reg(Class::Predicate) + ", -1");
    break;
  case 4:
    K.value(Class::Word,
            K.R.chance(50) ? "redux.sync.add.u32" : "redux.sync.min.s32",
            A + ", -1");
    break;
  case 5:
    K.value(Class::Predicate, "vote.sync.any.pred",
            K.reg(Class::Predicate) + ", -1");
    break;
  }
}

/// Commutes, so that the order of threads does not matter.
void KernelWriter::addReduction() {
  static constexpr StringLiteral Names[] = {"add.u32", "max.s32", "min.u32",
                                            "or.b32", "xor.b32"};
  // One kind for each word.
  unsigned Which = K.R.below(std::size(Names));
  K.line("red.global." + Names[Which] + " [" + Counters + "+" +
         Twine(4 * Which) + "], " + K.reg(Class::Word));
}

} // namespace unravel::ptx
