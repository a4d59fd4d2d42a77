//===- Statements.cpp - The shape of a kernel -----------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/ptx-fuzz/generator/Statements.h"
#include "tools/ptx-fuzz/generator/Divisions.h"
#include "tools/ptx-fuzz/generator/Instructions.h"

using namespace llvm;

namespace unravel::ptx {

static constexpr unsigned MaxDepth = 3;

//===----------------------------------------------------------------------===//
// Beginning and end
//===----------------------------------------------------------------------===//

void KernelWriter::addProlog() {
  auto Special = [&](StringRef Register) {
    return K.value(Class::Word, "mov.u32", Register);
  };
  std::string Addresses[3];
  for (unsigned I = 0; I != 3; ++I) {
    // Not a value: nothing may depend on where buffers lie.
    std::string Generic = K.fresh(Class::Double);
    Addresses[I] = K.fresh(Class::Double);
    K.line("ld.param.u64 " + Generic + ", [" + Name + "_" + Twine(I) + "]");
    K.line("cvta.to.global.u64 " + Addresses[I] + ", " + Generic);
  }
  Input = Addresses[0];
  Counters = Addresses[2];
  // Of all dimensions, or of x alone.
  auto Number = [&](StringRef Index, StringRef Size) {
    auto Add = [&](const std::string &High, StringRef Extent,
                   const std::string &Low) {
      if (K.R.chance(60))
        return K.value(Class::Word, "mad.lo.s32",
                       High + ", " + Twine(Extent) + ", " + Low);
      std::string Product =
          K.value(Class::Word, "mul.lo.s32", High + ", " + Twine(Extent));
      return K.value(Class::Word, "add.s32", Product + ", " + Low);
    };
    std::string X = Special(("%" + Index + ".x").str());
    if (!IsCube)
      return X;
    std::string Y = Special(("%" + Index + ".y").str());
    std::string Z = Special(("%" + Index + ".z").str());
    std::string SizeX = Special(("%" + Size + ".x").str());
    std::string SizeY = Special(("%" + Size + ".y").str());
    return Add(Add(Z, SizeY, Y), SizeX, X);
  };
  std::string Block = Number("ctaid", "nctaid");
  std::string Size = Special("%ntid.x");
  ThreadInBlock = Number("tid", "ntid");
  if (IsCube) {
    std::string Y = Special("%ntid.y"), Z = Special("%ntid.z");
    Size = K.value(Class::Word, "mul.lo.s32", Size + ", " + Y);
    Size = K.value(Class::Word, "mul.lo.s32", Size + ", " + Z);
  }
  ThreadsOfBlock = Size;
  ThreadNumber = K.value(Class::Word, "mad.lo.s32",
                         Block + ", " + Size + ", " + ThreadInBlock);
  Output = K.fresh(Class::Double);
  K.line("mad.wide.u32 " + Output + ", " + ThreadNumber + ", 64, " +
         Addresses[1]);
  if (K.R.chance(40)) {
    Special("%laneid");
    Special("%nctaid.x");
    Special("%warpid");
  }

  // Variables: arguments, and what threads and inputs bring.
  auto Variable = [&](Class C, const Twine &Opcode, const Twine &Rest) {
    std::string Register = K.fresh(C);
    K.line(Opcode + " " + Register + ", " + Rest);
    K.addVariable(C, Register);
  };
  for (unsigned I = 3; I != 5; ++I)
    Variable(Class::Word, "ld.param.u32", "[" + Name + "_" + Twine(I) + "]");
  Variable(Class::Double, "ld.param.u64", "[" + Name + "_5]");
  // Parts of arguments, and of a struct.
  if (K.R.chance(30))
    K.value(Class::Half, "ld.param.u16", "[" + Name + "_3+2]");
  if (K.R.chance(40)) {
    std::string A = K.fresh(Class::Word), B = K.fresh(Class::Word);
    K.line("ld.param.v2.u32 {" + A + ", " + B + "}, [" + Name + "_6]");
    K.addValue(Class::Word, A);
    K.addValue(Class::Word, B);
    K.value(Class::Word, "ld.param.s8", "[" + Name + "_6+9]");
    K.value(Class::Half, "ld.param.s16", "[" + Name + "_6+12]");
  }
  std::string First = K.fresh(Class::Double);
  K.line("mad.wide.u32 " + First + ", " + ThreadNumber + ", 32, " + Input);
  Variable(Class::Word, "ld.global.u32", "[" + First + "]");
  Variable(Class::Word, "ld.global.s16", "[" + First + "+4]");
  Variable(Class::Double, "ld.global.u64", "[" + First + "+8]");
  Variable(Class::Double, "ld.global.s32", "[" + First + "+16]");
  Variable(Class::Half, "ld.global.u16", "[" + First + "+20]");
  Variable(Class::Half, "ld.global.s8", "[" + First + "+22]");
  Variable(Class::Half, "cvt.u16.u32", ThreadNumber);
  Variable(Class::Predicate, "setp.lt.s32",
           K.reg(Class::Word) + ", " + K.reg(Class::Word));
  Variable(Class::Predicate, "setp.eq.u32", ThreadInBlock + ", 0");
}

/// What a block computed goes into variables, or it would be dead code.
void KernelWriter::keepValues(const KernelText::Mark &M) {
  for (unsigned C = 0; C != NumClasses; ++C) {
    std::vector<std::string> New(K.known()[C].begin() + M[C],
                                 K.known()[C].end());
    for (const std::string &Value : New) {
      if (!K.R.chance(75))
        continue;
      const std::string &To = K.variable(Class(C));
      if (Class(C) == Class::Predicate)
        K.line("xor.pred " + To + ", " + To + ", " + Value);
      else
        K.line((K.R.chance(50) ? "xor.b" : "add.s") + Twine(widthOf(Class(C))) +
               " " + To + ", " + To + ", " + Value);
    }
  }
  K.leave(M);
}

/// All that was computed goes into the output.
void KernelWriter::addEpilog() {
  std::string Sum = K.fresh(Class::Double), Wide = K.fresh(Class::Double);
  K.line("mov.u64 " + Sum + ", 0");
  auto Mix = [&](const std::string &Value) {
    K.line("mad.lo.s64 " + Sum + ", " + Sum + ", 1000003, " + Value);
  };
  auto MixAll = [&](Class C, ArrayRef<std::string> Names) {
    for (const std::string &Value : Names) {
      if (C == Class::Double) {
        Mix(Value);
        continue;
      }
      if (C == Class::Predicate)
        K.line("selp.u64 " + Wide + ", 1, 2, " + Value);
      else
        K.line("cvt.u64.u" + Twine(widthOf(C)) + " " + Wide + ", " + Value);
      Mix(Wide);
    }
  };
  for (unsigned C = 0; C != NumClasses; ++C) {
    MixAll(Class(C), K.variables(Class(C)));
    std::vector<std::string> Used;
    for (const std::string &Value : K.known()[C])
      if (K.R.chance(80)) // some code may die
        Used.push_back(Value);
    MixAll(Class(C), Used);
  }
  K.line("st.global.u64 [" + Output + "+56], " + Sum);
  std::string P = K.reg(Class::Predicate);
  K.line("@" + P + " st.global.u32 [" + Output + "+52], " + K.reg(Class::Word));
  K.line("ret");
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

void KernelWriter::addSimple() {
  // Half of all is what the profile is about.
  unsigned Which = K.R.below(12);
  if (K.R.chance(50)) {
    switch (Profile) {
    case PtxProfile::Arithmetic:
      Which = K.R.below(3);
      break;
    case PtxProfile::Bits:
      Which = 3 + K.R.below(2);
      break;
    case PtxProfile::Division:
      Which = 5 + K.R.below(2);
      break;
    case PtxProfile::Index:
      Which = 7;
      break;
    case PtxProfile::Memory:
      Which = 8 + K.R.below(2);
      break;
    case PtxProfile::Control:
      Which = 10 + K.R.below(2);
      break;
    }
  }
  switch (Which) {
  case 0:
  case 1:
    return addArithmetic(K);
  case 2:
    return K.R.chance(50)   ? addCarryChain(K)
           : K.R.chance(50) ? addFloats(K)
                            : addMasks(K);
  case 3:
    return addBits(K);
  case 4:
    return addConversion(K);
  case 5:
    return addQuotient(K);
  case 6:
    return addConstantDivision(K);
  case 7:
    return addIndexChain();
  case 8:
    return K.R.chance(80)   ? addLoad()
           : K.R.chance(50) ? addTableLoad()
                            : addLocalAccess();
  case 9:
    return K.R.chance(80) ? addStore() : addReduction();
  case 10:
    return addComparison(K);
  default:
    return addPredicated(K);
  }
}

void KernelWriter::addStatement(unsigned Depth) {
  bool IsDeep = Depth >= MaxDepth;
  unsigned Percent = Profile == PtxProfile::Control ? 35 : 12;
  if (!IsDeep && K.R.chance(Percent)) {
    switch (K.R.below(5)) {
    case 0:
    case 1:
      return addIf(Depth);
    case 2:
      return addLoop(Depth);
    case 3:
      return addScope(Depth);
    case 4:
      return addJumpTable(Depth);
    }
  }
  // All threads come by here together, and only here.
  if (Depth == 0 && !EndsEarly && K.R.chance(6))
    return K.R.chance(50) ? addSharedExchange() : addWarpOperation();
  if (Depth == 0 && K.R.chance(3))
    return addGuard();
  addSimple();
}

void KernelWriter::addStatements(unsigned Count, unsigned Depth) {
  for (unsigned I = 0; I != Count; ++I)
    addStatement(Depth);
}

void KernelWriter::addIf(unsigned Depth) {
  std::string Else = K.freshLabel(), End = K.freshLabel();
  std::string P = K.reg(Class::Predicate);
  if (K.R.chance(40)) {
    P = K.fresh(Class::Predicate);
    K.line("setp." + Twine(K.R.chance(50) ? "ge.s32 " : "gt.u32 ") + P + ", " +
           K.reg(Class::Word) + ", " + K.operand(Class::Word));
  }
  K.line((K.R.chance(50) ? "@" : "@!") + P + " bra " + Else);
  KernelText::Mark M = K.enter();
  addStatements(K.R.between(1, 4), Depth + 1);
  addPredicated(K);
  keepValues(M);
  if (K.R.chance(50)) {
    K.line("bra.uni " + End);
    K.label(Else);
    addStatements(K.R.between(1, 4), Depth + 1);
    addPredicated(K);
    keepValues(M);
    K.label(End);
  } else {
    K.label(Else);
  }
}

/// A counter that may pass the end of its type.
void KernelWriter::addWrappingLoop(unsigned Depth) {
  static constexpr int64_t Begins[] = {0x7ffffffe, -3, -2147483647, 0, 65534};
  bool IsWide = K.R.chance(25);
  Class C = IsWide ? Class::Double : Class::Word;
  std::string Counter = K.fresh(C), P = K.fresh(Class::Predicate);
  std::string S = IsWide ? "s64 " : "s32 ";
  int64_t First = K.R.pick(Begins), Step = K.R.between(1, 4);
  if (K.R.chance(40))
    Step = -Step;
  int64_t End = First + Step * K.R.between(1, 5);
  if (!IsWide)
    End = int32_t(End);
  K.line("mov." + S + Counter + ", " + Twine(First));
  std::string Begin = K.freshLabel();
  K.label(Begin);
  KernelText::Mark M = K.enter();
  K.addValue(C, Counter);
  if (!IsWide)
    K.value(Class::Double, K.R.chance(50) ? "cvt.s64.s32" : "cvt.u64.u32",
            Counter);
  addStatements(K.R.between(1, 4), Depth + 1);
  keepValues(M);
  K.line("add." + S + Counter + ", " + Counter + ", " + Twine(Step));
  K.line("setp.ne." + S + P + ", " + Counter + ", " + Twine(End));
  K.line("@" + P + " bra " + Begin);
}

/// A counter from 0 up or down to 0, a few times.
void KernelWriter::addLoop(unsigned Depth) {
  if (K.R.chance(30))
    return addWrappingLoop(Depth);
  std::string Counter = K.fresh(Class::Word), Bound = K.fresh(Class::Word);
  std::string P = K.fresh(Class::Predicate);
  bool IsUp = K.R.chance(60);
  if (K.R.chance(50))
    K.line("mov.u32 " + Bound + ", " + Twine(K.R.between(1, 6)));
  else
    K.line("and.b32 " + Bound + ", " + K.reg(Class::Word) + ", 7");
  K.line("mov.u32 " + Counter + ", " + (IsUp ? "0" : Twine(Bound)));
  std::string Begin = K.freshLabel(), End = K.freshLabel();
  bool TestsFirst = K.R.chance(50);
  K.label(Begin);
  auto Test = [&](StringRef Up, StringRef Down) {
    if (IsUp)
      K.line("setp." + Up + ".s32 " + P + ", " + Counter + ", " + Bound);
    else
      K.line("setp." + Down + ".s32 " + P + ", " + Counter + ", 0");
  };
  if (TestsFirst) {
    Test("ge", "le");
    K.line("@" + P + " bra " + End);
  }
  KernelText::Mark M = K.enter();
  K.addValue(Class::Word, Counter);
  addStatements(K.R.between(1, 5), Depth + 1);
  addPredicated(K);
  keepValues(M);
  K.line("add.s32 " + Counter + ", " + Counter + ", " + (IsUp ? "1" : "-1"));
  if (TestsFirst) {
    K.line("bra.uni " + Begin);
  } else {
    Test("lt", "gt");
    K.line("@" + P + " bra " + Begin);
  }
  K.label(End);
}

/// Registers of a scope may have the names of others outside.
void KernelWriter::addScope(unsigned Depth) {
  KernelText::Known Outer = K.known();
  std::string Taken = K.reg(Class::Word);
  bool Shadows = K.R.chance(60);
  std::string Prefix =
      Shadows ? "%x" : "%y" + std::to_string(NumScopes++) + "_";
  if (Shadows)
    K.removeValues("%x");
  KernelText::Mark M = K.enter();
  // The name may be hidden behind the declaration.
  std::string Copy = K.value(Class::Word, "mov.b32", Taken);
  K.raw("\t{\n\t.reg .b32 " + Prefix + "<3>;\n");
  for (unsigned I = 0; I != 3; ++I) {
    std::string Local = Prefix + std::to_string(I);
    K.line("add.s32 " + Local + ", " + (I ? K.reg(Class::Word) : Copy) + ", " +
           Twine(I + 1));
    K.addValue(Class::Word, Local);
  }
  addStatements(K.R.between(1, 4), Depth + 1);
  K.line("mov.b32 " + K.variable(Class::Word) + ", " + Prefix +
         Twine(K.R.below(3)));
  keepValues(M);
  K.raw("\t}\n");
  K.setKnown(std::move(Outer));
}

void KernelWriter::addJumpTable(unsigned Depth) {
  std::string Index =
      K.value(Class::Word, "and.b32", K.reg(Class::Word) + ", 3");
  std::string Table = K.freshLabel(), End = K.freshLabel();
  std::string Cases[4];
  for (std::string &Case : Cases)
    Case = K.freshLabel();
  if (K.R.chance(30))
    Cases[3] = Cases[0];
  K.raw(Table + ": .branchtargets " + Cases[0] + ", " + Cases[1] + ", " +
        Cases[2] + ", " + Cases[3] + ";\n");
  K.line("brx.idx " + Index + ", " + Table);
  KernelText::Mark M = K.enter();
  for (unsigned I = 0; I != 4; ++I) {
    if (I == 3 && Cases[3] == Cases[0])
      break;
    K.label(Cases[I]);
    addStatements(K.R.between(1, 2), Depth + 1);
    addPredicated(K);
    keepValues(M);
    if (K.R.chance(80)) // or falls through
      K.line("bra.uni " + End);
  }
  K.label(End);
}

/// `if (i >= n) return;`
void KernelWriter::addGuard() {
  std::string P = K.fresh(Class::Predicate);
  K.line("setp.ge." + Twine(K.R.chance(50) ? "s32 " : "u32 ") + P + ", " +
         ThreadNumber + ", " +
         (K.R.chance(60) ? K.variables(Class::Word)[0] : "100"));
  if (K.R.chance(60)) {
    std::string Go = K.freshLabel();
    K.line("@!" + P + " bra " + Go);
    K.line("ret");
    K.label(Go);
  } else {
    K.line("@" + P + (K.R.chance(50) ? " ret" : " exit"));
  }
  EndsEarly = true;
}

//===----------------------------------------------------------------------===//
// All of it
//===----------------------------------------------------------------------===//

std::string KernelWriter::write() {
  IsWild = K.R.chance(25);
  IsCube = K.R.chance(30);
  addProlog();
  addStatements(K.R.between(6, 30), 0);
  addEpilog();
  std::string Text = (".visible .entry " + Name + "(\n").str();
  for (unsigned I = 0; I != 6; ++I) {
    Text += "\t.param .";
    Text += I == 3 || I == 4 ? "u32" : "u64";
    if (I < 3)
      Text += " .ptr .global .align 16";
    Text += (" " + Name + "_" + Twine(I) + ",\n").str();
  }
  Text += ("\t.param .align 8 .b8 " + Name + "_6[16]\n").str();
  Text += ")\n";
  if (K.R.chance(20))
    Text += ".maxntid 256, 1, 1\n";
  else if (K.R.chance(15))
    Text += ".reqntid " + std::to_string(32 << K.R.below(3)) + ", 1, 1\n";
  Text += "{\n" + K.declarations();
  if (HasShared)
    Text += ("\t.shared .align 4 .b32 shared_" + Name + "[" +
             Twine(MaxThreads) + "];\n")
                .str();
  // Written before anything else: nothing may read what was not.
  if (HasLocal)
    Text += ("\t.local .align 4 .b32 local_" + Name + "[" + Twine(LocalWords) +
             "];\n")
                .str();
  for (unsigned I = 0; HasLocal && I != LocalWords; ++I)
    Text += ("\tst.local.u32 [local_" + Name + "+" + Twine(4 * I) + "], " +
             Twine(I * 77) + ";\n")
                .str();
  return Text + K.body() + "}\n";
}

std::string generateKernel(uint64_t Seed, PtxProfile Profile, StringRef Name) {
  return KernelWriter(Seed, Profile, Name).write();
}

ArrayRef<StringRef> ptxProfileNames() {
  static constexpr StringRef Names[] = {"arithmetic", "bits",   "division",
                                        "index",      "memory", "control"};
  return Names;
}

std::string generateModule(uint64_t Seed, unsigned NumKernels,
                           std::optional<PtxProfile> Only) {
  std::string Text = ".version 8.5\n.target sm_90\n.address_size 64\n";
  FuzzRandom R(Seed);
  for (StringRef Name : {".const .align 4 .b32 constant_table",
                         ".global .align 4 .b32 global_table"}) {
    Text += (Name + "[" + Twine(TableWords) + "] = {").str();
    for (unsigned I = 0; I != TableWords; ++I)
      Text +=
          (I ? ", " : "") + std::to_string(uint32_t(R.next()) >> R.below(32));
    Text += "};\n";
  }
  for (unsigned I = 0; I != NumKernels; ++I) {
    PtxProfile Profile =
        Only.value_or(PtxProfile(I % ptxProfileNames().size()));
    Text += "\n" +
            generateKernel(mixBits(Seed) + I, Profile, "k" + std::to_string(I));
  }
  return Text;
}

} // namespace unravel::ptx
